/** Every code that a Tributary tool can fail with. A code is never reused. Each has a paragraph in `docs/errors.md`. */
export const ERROR_CODES = [
  'USAGE',
  'INTERRUPTED',
  'PROGRAM_MISSING',
  'PROGRAM_FAILED',
  'PROGRAM_TIMEOUT',
  'GIT_MISSING',
  'GIT_TOO_OLD',
  'GIT_FAILED',
  'DISK_FULL',
  'MEMORY_FULL',
  'CONFIG_INVALID',
  'MANIFEST_INVALID',
  'LOCKFILE_INVALID',
  'LOCKFILE_MISMATCH',
  'LOCKFILE_UNSUPPORTED',
  'WORKSPACE_DUPLICATE_NAME',
  'WORKSPACE_UNKNOWN',
  'WORKSPACE_UNRUNNABLE',
  'NAME_UNPRINTABLE',
  'URL_REFUSED',
  'TARGET_NOT_FOUND',
  'TARGET_NOT_TRUSTED',
  'TARGET_NOT_A_MONOREPO',
  'TARGET_UNBORN',
  'TARGET_LOCKED',
  'TARGET_SHALLOW',
  'TARGET_NOT_WRITABLE',
  'TARGET_PATH_TAKEN',
  'TARGET_NAME_TAKEN',
  'TARGET_BRANCH_TAKEN',
  'TARGET_IDENTITY_MISSING',
  'SIGNING_FAILED',
  'PACKAGE_MANAGER_UNSUPPORTED',
  'TAG_COLLISION',
  'SOURCE_UNKNOWN',
  'SOURCE_NOT_CONFIRMED',
  'SOURCE_UNREACHABLE',
  'SOURCE_IS_TARGET',
  'SOURCE_EMPTY',
  'SOURCE_BRANCH_MISSING',
  'SOURCE_SHALLOW',
  'SOURCE_PARTIAL',
  'SOURCE_FORMAT_MISMATCH',
  'SOURCE_NO_MANIFEST',
  'SOURCE_NAME_MISMATCH',
  'SOURCE_SUBDIRECTORY_MISSING',
  'SOURCE_HAS_WORKSPACES',
  'SOURCE_LFS_MISSING',
  'SOURCE_UNSAFE_PATH',
  'SOURCE_FAULTY_OBJECTS',
  'SOURCE_REWRITTEN',
  'DEPENDENCY_LEFT_OUT',
  'DEPENDENCY_UNRESOLVABLE',
  'PACKAGES_LEFT_OUT',
  'ALREADY_MIGRATED',
  'PROOF_FAILED',
  'PROOF_MISSING',
  'YARN_DISAGREES',
  'YARN_MISSING',
  'INSTALL_FAILED',
  'INSTALL_MOVES_VERSIONS',
  'INSTALL_GIT_UNREADABLE',
  'INSTALL_RUNS_CODE',
  'REGISTRY_UNREACHABLE',
  'REGISTRY_REFUSED',
  'REFS_NOT_MOVED',
  'REVISION_MISSING',
  'FILE_LIST_UNREADABLE',
  'FILE_UNUSABLE',
  'TASK_UNKNOWN',
  'TIMINGS_INVALID',
  'PLAN_INVALID',
  'PLAN_STALE',
  'TURBO_FAILED',
  'OBSERVATION_INVALID',
  'GATE_NOT_PROVEN',
  'IMPORT_NOT_FOUND',
  'IMPORT_MERGED',
  'IMPORT_IN_USE',
  'IMPORT_MOVED',
  'IMPORT_NOT_PUSHED',
  'IMPORT_NOT_REWRITTEN',
  'SYNC_NOT_OPEN',
  'SYNC_UNFINISHED',
  'PULL_REQUEST_UNREADABLE',
  'PULL_REQUEST_BASE_UNKNOWN',
  'PULL_REQUEST_NOT_IMPORTED',
  'PULL_REQUEST_CHANGED',
  'PULL_REQUEST_BRANCH_MOVED',
  'MERGE_COMMITS_REFUSED',
  'REMOTE_UNREACHABLE',
  'PUSH_REFUSED',
  'GITHUB_UNREACHABLE',
  'GITHUB_REFUSED',
  'RECORD_MISSING',
  'RECORD_INVALID',
  'RECORD_LOCKED',
  'REPOSITORY_MISMATCH',
  'CHANGE_UNKNOWN',
  'NOT_RECORDED',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ToolErrorParts {
  readonly code: ErrorCode;
  /** One sentence for what happened, without credentials. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** Facts for `--json` readers. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

// A tool is shipped as several bundle files, each with its own copy of this class, so `instanceof` is false across them.
const brand = Symbol.for('tributary.ToolError');

/** A failure with a code. Recognise it with `isToolError`, never with `instanceof`. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly [brand] = true;

  constructor(parts: ToolErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'ToolError';
    this.code = parts.code;
    this.hint = parts.hint;
    this.data = parts.data ?? {};
  }

  toJSON(): FailureDocument['error'] {
    return { code: this.code, message: this.message, ...(this.hint === undefined ? {} : { hint: this.hint }), data: this.data };
  }
}

/** What `--json` prints instead of an answer; the exit code is not 0. An internal error (exit code 70) prints no document. */
export interface FailureDocument {
  readonly schemaVersion: 1;
  readonly error: {
    /** docs/errors.md explains each code. New codes may appear without a new version. */
    readonly code: ErrorCode;
    /** One sentence that says what happened, without credentials. */
    readonly message: string;
    /** What to do next. Missing if unknown. */
    readonly hint?: string;
    /** Data of the code; may be empty. Only the fields that docs/errors.md names are part of the contract. */
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export function isToolError(value: unknown): value is ToolError {
  return typeof value === 'object' && value !== null && brand in value;
}
