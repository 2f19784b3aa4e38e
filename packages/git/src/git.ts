import { delimiter } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { closedEnvironment, type Environment, networkEnvironment } from '@tributary/process/environment';
import { callProgram, type ProgramResult, type RunningProgram, runProgram, startProgram } from '@tributary/process/spawn';
import type { ObjectReader } from './object-reader.js';

/** One repository, and how to call git for it. */
export interface Git {
  /** Returns stdout as bytes. Throws `GIT_FAILED` with git's own message. */
  readonly bytes: (args: readonly string[], options?: GitCallOptions) => Promise<Buffer>;
  /** Returns stdout as text, without the last line break. Throws like `bytes`. */
  readonly text: (args: readonly string[], options?: GitCallOptions) => Promise<string>;
  /** Runs a command whose exit code is part of the result. Throws only if git could not run. */
  readonly attempt: (args: readonly string[], options?: GitCallOptions) => Promise<ProgramResult>;
  readonly start: (args: readonly string[]) => RunningProgram;
  /** Set if many lookups of objects follow (`withObjectReader`). */
  readonly objects?: ObjectReader;
  /** Set if objects may be missing, and git may fetch them one by one. */
  readonly isPartial?: boolean;
  /** Returns a git that contacts the repository's remotes for the user, until `limit` ends it. Missing if nothing may be fetched. */
  readonly remotes?: (limit: AbortSignal) => Git;
}

export interface GitCallOptions {
  readonly input?: Uint8Array | string;
  readonly onStderr?: (text: string) => void;
}

export interface GitSettings {
  readonly signal?: AbortSignal | undefined;
  /** Object folders to read in addition to the repository's own. */
  readonly alternates?: readonly AbsolutePath[];
  /**
   * Whether `git replace` applies. A checkout follows replacements, so code about a checkout must honour them. A move must read what is
   * stored.
   */
  readonly replaceRefs?: 'honoured' | 'ignored';
  /** Whether git may fetch objects that a partial clone lacks (default: allowed). If not, a missing object is a failure. */
  readonly lazyFetch?: 'allowed' | 'never' | undefined;
}

/** An index and an object folder separate from the user's, so that staging leaves no trace in their repository. */
export interface Scratch {
  readonly index: AbsolutePath;
  readonly objects: AbsolutePath;
  /** The user's own object folder, read only. */
  readonly alternate: AbsolutePath;
}

// These disable hooks, the file system monitor, signature checks and background jobs. They cannot disable filters, diff drivers and merge
// drivers. The plumbing called here uses none of those. But `status` (client.ts) runs the clean filters of the user's repository, as their
// own `git status` does. Without them, every file in Git LFS would count as changed.
const SWITCHES = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.commitGraph=false',
  'log.showSignature=false',
  // The grafts file is set here on purpose.
  'advice.graftFileDeprecated=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  // Windows alone has it: else no path may have more than 260 characters.
  'core.longpaths=true',
].flatMap((setting) => ['-c', setting]);

const QUIET: Environment = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
/** Ignores replacements. Any value of the variable means yes. */
const AS_STORED: Environment = { GIT_NO_REPLACE_OBJECTS: '1' };
// GIT_PROTOCOL_FROM_USER=0 would forbid paths; this list excludes `ext` and `git`.
const PROTOCOLS: Environment = { GIT_ALLOW_PROTOCOL: 'file:http:https:ssh' };
// Before 2.45, git may not know the first variable. It then starts a fetch, which ends before it starts a program or reaches a server.
const NO_LAZY_FETCH: Environment = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/**
 * Returns plumbing for a repository. Results depend only on the repository, not on the user's settings or grafts; on replacements only if
 * `settings` say so.
 */
export function plumbing(gitDir: AbsolutePath, settings: GitSettings = {}): Git {
  const { signal, lazyFetch } = settings;
  const git = makeGit(plumbingEnvironment(gitDir, settings, {}), { signal, before: SWITCHES });
  if (lazyFetch === 'never') return git;
  return { ...git, remotes: (limit) => network(gitDir, { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) }) };
}

function plumbingEnvironment(
  gitDir: AbsolutePath,
  { alternates = [], replaceRefs = 'ignored', lazyFetch = 'allowed' }: GitSettings,
  own: Environment,
): Environment {
  return closedEnvironment(process.env, {
    ...QUIET,
    ...(replaceRefs === 'honoured' ? {} : AS_STORED),
    ...(lazyFetch === 'never' ? NO_LAZY_FETCH : PROTOCOLS),
    GIT_DIR: gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_GRAFT_FILE: '/dev/null',
    ...(alternates.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: joinAlternates(alternates) }),
    ...own,
  });
}

/**
 * Plumbing that writes files of the repository into a folder of its own (`checkout-index`), through an index of its own. Symbolic links become
 * files, so that nothing written behind them can leave the folder; line ends stay as they are stored, for what changes them would count as a change.
 */
export function writingInto(
  gitDir: AbsolutePath,
  target: { readonly folder: AbsolutePath; readonly index: AbsolutePath },
  settings: GitSettings = {},
): Git {
  const own = { GIT_WORK_TREE: target.folder, GIT_INDEX_FILE: target.index };
  return makeGit(plumbingEnvironment(gitDir, settings, own), {
    signal: settings.signal,
    before: [...SWITCHES, ...AS_STORED_FILES],
    cwd: target.folder,
  });
}

const AS_STORED_FILES = ['core.symlinks=false', 'core.bare=false', 'core.autocrlf=false', 'core.eol=lf'].flatMap((setting) => [
  '-c',
  setting,
]);

/** For reaching a server or another repository: the user's credentials, agents and proxies serve, their hooks and background jobs do not. */
export function network(gitDir: AbsolutePath | undefined, settings: GitSettings = {}): Git {
  const own = { ...QUIET, ...AS_STORED, ...PROTOCOLS, ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }) };
  const env = networkEnvironment(process.env, { ...settingsOf(process.env), ...credentialsOf(process.env), ...own });
  return makeGit(env, { signal: settings.signal, before: SWITCHES });
}

/**
 * Returns a git for contacting a repository's server with the credentials and settings of that repository. Fetched objects go into
 * `objects`. If an address is used instead of a remote's name, no ref changes.
 */
export function networkFrom(gitDir: AbsolutePath, scratch: Pick<Scratch, 'objects'> & GitSettings): Git {
  const own = {
    ...QUIET,
    ...AS_STORED,
    ...PROTOCOLS,
    GIT_DIR: gitDir,
    GIT_OBJECT_DIRECTORY: scratch.objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: joinAlternates(scratch.alternates ?? []),
  };
  const env = networkEnvironment(process.env, { ...settingsOf(process.env), ...credentialsOf(process.env), ...own });
  return makeGit(env, { signal: scratch.signal, before: SWITCHES });
}

/** Returns git as the user would call it in `cwd`, with their safety settings: to find the repository around it and their identity. */
export function asUser(cwd: AbsolutePath, settings: GitSettings = {}): Git {
  const env = networkEnvironment(process.env, { ...QUIET, ...AS_STORED, ...settingsOf(process.env), ...identityOf(process.env) });
  return makeGit(env, { signal: settings.signal, before: SWITCHES, cwd });
}

/**
 * Returns git as the user would call it, with their ignore rules and filters, but staging into a scratch index. `cwd` is the top of the
 * working tree.
 */
export function staging(cwd: AbsolutePath, scratch: Scratch, settings: GitSettings = {}): Git {
  const env = networkEnvironment(process.env, {
    ...QUIET,
    ...AS_STORED,
    ...(settings.lazyFetch === 'never' ? NO_LAZY_FETCH : {}),
    ...settingsOf(process.env),
    GIT_INDEX_FILE: scratch.index,
    GIT_OBJECT_DIRECTORY: scratch.objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: joinAlternates([scratch.alternate]),
  });
  return makeGit(env, { signal: settings.signal, before: SWITCHES, cwd });
}

/** Where a commit is signed: object folders and identities, each as `name <address> seconds zone`. */
export interface SigningScratch {
  /** Receives the commit. */
  readonly objects: AbsolutePath;
  readonly alternates: readonly AbsolutePath[];
  readonly author: string;
  readonly committer: string;
}

/**
 * Returns git as the user would call it in `cwd`, with what their signing program needs, but with other object folders. It creates commits
 * signed like the user's own.
 */
export function signing(cwd: AbsolutePath, scratch: SigningScratch, settings: GitSettings = {}): Git {
  const env = networkEnvironment(process.env, {
    ...QUIET,
    ...AS_STORED,
    ...settingsOf(process.env),
    ...signersOf(process.env),
    ...identityFrom('AUTHOR', scratch.author),
    ...identityFrom('COMMITTER', scratch.committer),
    GIT_OBJECT_DIRECTORY: scratch.objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: joinAlternates(scratch.alternates),
  });
  return makeGit(env, { signal: settings.signal, before: [...SWITCHES, '-c', 'i18n.commitEncoding=UTF-8'], cwd });
}

function identityFrom(role: 'AUTHOR' | 'COMMITTER', text: string): Environment {
  const [, name = '', email = '', seconds = '', zone = ''] = /^(.*) <(.*)> (\d+) ([+-]\d{4})$/.exec(text) ?? [];
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email, [`GIT_${role}_DATE`]: `@${seconds} ${zone}` };
}

interface CallShape {
  readonly signal: AbortSignal | undefined;
  readonly before: readonly string[];
  readonly cwd?: AbsolutePath;
}

function makeGit(env: Environment, shape: CallShape): Git {
  const call = (args: readonly string[], options: GitCallOptions = {}) => ({
    program: 'git',
    args: [...shape.before, ...args],
    env,
    signal: shape.signal,
    ...(shape.cwd === undefined ? {} : { cwd: shape.cwd }),
    ...options,
  });
  const bytes: Git['bytes'] = (args, options) => runProgram(call(args, options)).catch(rethrowAsGit);
  return {
    bytes,
    text: async (args, options) => (await bytes(args, options)).toString('utf8').replace(/\r?\n$/, ''),
    attempt: (args, options) => callProgram(call(args, options)).catch(rethrowAsGit),
    start: (args) => {
      const running = startProgram(call(args));
      return { ...running, done: () => running.done().catch(rethrowAsGit) };
    },
  };
}

function rethrowAsGit(error: unknown): never {
  if (!isToolError(error)) throw error;
  if (error.code === 'PROGRAM_MISSING') {
    throw new ToolError({ code: 'GIT_MISSING', message: 'git could not be started.', hint: 'Install git 2.38 or newer.', cause: error });
  }
  if (error.code !== 'PROGRAM_FAILED') throw error;
  const promised = /could not fetch ([0-9a-f]+) from promisor remote/.exec(error.message)?.[1];
  if (promised === undefined) throw new ToolError({ code: 'GIT_FAILED', message: error.message, data: error.data, cause: error });
  throw new ToolError({
    code: 'GIT_FAILED',
    message: `The object ${promised} is missing in this partial clone, and was not fetched.`,
    hint: 'Allow fetching, or complete the clone: git fetch --refetch --no-filter origin',
    data: error.data,
    cause: error,
  });
}

/** Object folders as git's manual says: between them a colon, on Windows a semicolon; a path that holds one is quoted. */
export function joinAlternates(paths: readonly AbsolutePath[], separator: string = delimiter): string {
  return paths.map((path) => (path.includes(separator) || /["\n]/.test(path) ? JSON.stringify(path) : path)).join(separator);
}

function identityOf(env: NodeJS.ProcessEnv): Environment {
  return pickFrom(env, /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|EMAIL)$/);
}

/** Returns the variables that credential helpers read: a desktop's keyring, the GitHub CLI. */
function credentialsOf(env: NodeJS.ProcessEnv): Environment {
  return pickFrom(env, /^(DBUS_SESSION_BUS_ADDRESS|(GH|GITHUB)_TOKEN|GH_(CONFIG_DIR|HOST))$/);
}

/** Returns the variables that gpg and its passphrase prompts read. The ssh agent is already passed for servers. */
function signersOf(env: NodeJS.ProcessEnv): Environment {
  return pickFrom(
    env,
    /^(GNUPGHOME|GPG_TTY|GPG_AGENT_INFO|PINENTRY_USER_DATA|TERM|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS)$/,
  );
}

/**
 * Returns the settings that a CI job passes to git: credentials, an identity, `safe.directory`. Settings of `-c` take precedence, so
 * `SWITCHES` hold. `SUDO_UID` names the user whose repositories root may use.
 */
export function settingsOf(env: NodeJS.ProcessEnv): Environment {
  return pickFrom(env, /^(GIT_CONFIG_(COUNT|(KEY|VALUE)_\d+|SYSTEM|NOSYSTEM)|SUDO_UID)$/);
}

export function pickFrom(env: NodeJS.ProcessEnv, names: RegExp): Environment {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && names.test(name) ? [[name, value]] : [])),
  );
}
