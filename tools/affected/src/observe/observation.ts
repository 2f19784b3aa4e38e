import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';

/** Why an observation may lack something that the command read. */
export type Gap =
  | 'tracer-missing'
  | 'tracer-denied'
  | 'cut-off'
  | 'not-understood'
  | 'lost-process'
  | 'io-uring'
  | 'file-handles'
  | 'mounts'
  | 'daemon'
  | 'long-path'
  | 'not-utf8'
  | 'warm-cache'
  | 'zip-packages'
  | 'submodule'
  | 'crawl'
  | 'uncommitted'
  | 'repository'
  | 'left-over'
  | 'replayed'
  | 'not-proven';

/** What one command read. Schema: `schema/observation.schema.json`. Paths are from the root of the project; lists are ordered, without repetition. */
export interface Observation {
  readonly schemaVersion: 1;
  /** The version of affected. */
  readonly version: string;
  /** What watched the command, with its version. */
  readonly tracer: string | null;
  readonly commit: string;
  /** `node`: the major version. */
  readonly platform: { readonly os: string; readonly arch: string; readonly node: string };
  readonly command: readonly string[];
  /** Where it was started; `.` for the root. */
  readonly folder: string;
  /** The workspace that the readings count for. */
  readonly workspace: string;
  /** Of a piece of a shard: the task of turborepo. The readings of the tasks before it are in it. */
  readonly task?: string;
  /** Of a piece of a shard: the hash of its plan. */
  readonly plan?: string;
  /** Of a piece that is one part of a suite: `[1, 3]` is the first of three. */
  readonly part?: readonly [number, number];
  /** `null`: a signal ended it. */
  readonly exit: number | null;
  /** Whether everything was seen that the command read. */
  readonly complete: boolean;
  readonly gaps: readonly { readonly gap: Gap; readonly detail: string }[];
  /** Tracked files whose content was read or run, and tracked links that were followed. */
  readonly files: readonly string[];
  /** Tracked files and folders that were only looked up. */
  readonly found: readonly string[];
  /** Paths that were looked up and not there. */
  readonly absent: readonly string[];
  /** Folders of the project, those that hold nothing tracked too; `hash`: of their tracked entries, see `hashListing`. */
  readonly listed: readonly { readonly path: string; readonly hash: string }[];
  /** Of node_modules; `version`: `null` where one was looked for and not found. */
  readonly packages: readonly { readonly name: string; readonly version: string | null }[];
  /** Below the root from there, others as absolute paths; without those that the command wrote itself. */
  readonly programs: readonly string[];
  /** Of git, turborepo and package managers those that tests started themselves; paths as of `programs`. */
  readonly nested: readonly string[];
  /** Addresses of other machines. */
  readonly connections: readonly string[];
  /** What was read and is no input of its own. */
  readonly apart: {
    /** The command had written it before. */
    readonly written: readonly string[];
    /** Not tracked: what a build left there. */
    readonly ignored: readonly string[];
    readonly caches: readonly string[];
    /** Only git, turborepo and package managers read it. */
    readonly tools: readonly string[];
    /** Folders that only they listed. */
    readonly toolLists: readonly string[];
    /** Outside of the project, as absolute paths; without the folders of the system. */
    readonly outside: readonly string[];
  };
}

/** As it is written to a file. */
export function formatObservation(observation: Observation): string {
  return `${JSON.stringify(observation, undefined, 1)}\n`;
}

/** Reads an observation. Throws `OBSERVATION_INVALID` for one of another version, for one that is cut off, and for what is none. */
export function parseObservation(text: string, file: string): Observation {
  return checkObservation(parseJson(text, file), file);
}

/** The same of a text that is parsed already. */
export function checkObservation(value: unknown, file: string): Observation {
  if (!isPlainObject(value)) throw invalid(file, 'it is no observation');
  const { schemaVersion } = value;
  if (typeof schemaVersion === 'number' && schemaVersion !== 1)
    throw invalid(file, `its version is ${schemaVersion}, but this program supports version 1`);
  if (!isObservation(value)) throw invalid(file, 'it is no observation');
  return value;
}

/** Throws `OBSERVATION_INVALID`. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(file, 'it is not JSON, or is truncated');
  }
}

/** Each part of it has its shape: a list that is missing would look like one of nothing that was read. */
function isObservation(value: object): value is Observation {
  const one = value as Readonly<Record<string, unknown>>;
  const { schemaVersion, commit, version, workspace, complete, gaps, listed, packages, platform, apart, task, plan } = one;
  const texts = [version, workspace, task ?? '', plan ?? ''].every((text) => typeof text === 'string');
  const lists = ['command', 'files', 'found', 'absent', 'programs', 'nested', 'connections'].every((key) => areTexts(one[key]));
  const apartLists = ['written', 'ignored', 'caches', 'tools', 'toolLists', 'outside'];
  return (
    schemaVersion === 1 &&
    texts &&
    lists &&
    typeof commit === 'string' &&
    /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit) &&
    typeof complete === 'boolean' &&
    areAll(gaps, (gap) => typeof gap['gap'] === 'string' && typeof gap['detail'] === 'string') &&
    complete === (gaps.length === 0) &&
    areAll(listed, (folder) => typeof folder['path'] === 'string') &&
    areAll(packages, (found) => typeof found['name'] === 'string') &&
    isPlainObject(platform) &&
    isPlainObject(apart) &&
    apartLists.every((key) => areTexts(apart[key]))
  );
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function areAll(value: unknown, isOne: (one: Readonly<Record<string, unknown>>) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => isPlainObject(one) && isOne(one));
}

export function invalid(file: string, problem: string): ToolError {
  return new ToolError({
    code: 'OBSERVATION_INVALID',
    message: `${file} cannot be used as an observation: ${problem}.`,
    hint: 'Record it again with `affected trace --out <file> -- <command>`, with the same version of affected.',
    data: { file },
  });
}
