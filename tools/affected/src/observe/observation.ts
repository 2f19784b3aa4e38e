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
  | 'interpreter'
  | 'not-utf8'
  | 'warm-cache'
  | 'zip-packages'
  | 'submodule'
  | 'crawl'
  | 'uncommitted'
  | 'repository'
  | 'left-over'
  | 'replayed'
  | 'not-proven'
  | 'native-program'
  | 'native-addon'
  | 'not-hooked'
  | 'too-many-paths';

export interface UsedPackage {
  readonly name: string;
  /** `null` if the package was looked up and not found, or if its manifest has another name. */
  readonly version: string | null;
  /** Whether a script runs when it is installed, which may use its dependencies; missing: no. */
  readonly builds?: true;
}

/**
 * What one command read. Schema: `schema/observation.schema.json`. Paths are relative to the project's root; lists are ordered, without
 * duplicates.
 */
export interface Observation {
  readonly schemaVersion: 1;
  /** The version of affected. */
  readonly version: string;
  /** The tracer, with its version. */
  readonly tracer: string | null;
  readonly commit: string;
  /** `node`: the major version. */
  readonly platform: { readonly os: string; readonly arch: string; readonly node: string };
  readonly command: readonly string[];
  /** The folder in which it started; `.` for the root. */
  readonly folder: string;
  /** The workspace that the readings belong to. */
  readonly workspace: string;
  /** For a piece of a shard: turborepo's task. The readings include those of upstream tasks. */
  readonly task?: string;
  /** For a piece of a shard: the hash of its plan. */
  readonly plan?: string;
  /** For a piece that is one part of a suite: `[1, 3]` is the first of three parts. */
  readonly part?: readonly [number, number];
  /** `null`: a signal ended it. */
  readonly exit: number | null;
  /** Whether the trace shows everything that the command read. */
  readonly complete: boolean;
  readonly gaps: readonly { readonly gap: Gap; readonly detail: string }[];
  /** Tracked files whose content was read or run, and tracked links that were followed. */
  readonly files: readonly string[];
  /** Tracked files and folders that were only looked up. */
  readonly found: readonly string[];
  /** Paths that were looked up and did not exist. */
  readonly absent: readonly string[];
  /** Folders of the project, including those without tracked files; `hash`: that of their tracked entries, see `hashListing`. */
  readonly listed: readonly { readonly path: string; readonly hash: string }[];
  /** Packages in node_modules. */
  readonly packages: readonly UsedPackage[];
  /** Relative to the root if below it, otherwise absolute; without programs that the command wrote itself. */
  readonly programs: readonly string[];
  /** Instances of git, turborepo and package managers that tests started themselves; paths as in `programs`. */
  readonly nested: readonly string[];
  /** Addresses of other machines. */
  readonly connections: readonly string[];
  /** The environment variables, by name; `undefined`: they were not observed. */
  readonly variables?: {
    /** They were set when the command began. */
    readonly read: readonly string[];
    /** They were not, as also those that the command set for its own programs. */
    readonly unset: readonly string[];
    /** Whether all were copied or listed, such as by jest for each test file. Then others may have been read too. */
    readonly all: boolean;
  };
  /** For a piece of a shard whose test files were told apart; missing: they were not. */
  readonly testFiles?: TestFileInputs;
  /** Paths that were read and are not separate inputs. */
  readonly apart: {
    /** The command wrote them before. */
    readonly written: readonly string[];
    /** Untracked files, such as build output. */
    readonly ignored: readonly string[];
    readonly caches: readonly string[];
    /** Only git, turborepo and package managers read them. */
    readonly tools: readonly string[];
    /** Folders that only these programs listed. */
    readonly toolLists: readonly string[];
    /** Outside the project, as absolute paths; without system folders. */
    readonly outside: readonly string[];
  };
}

/**
 * The inputs of each test file, as ascending places in `inputTable`; `unclear`: why they are unknown.
 * `shared`: counts for every file. `search`: the folders in which the runner looked for test files; also in `shared`. `each`: by the path from
 * the workspace, the inputs besides the shared ones. A file that is missing was not observed.
 */
export type TestFileInputs =
  | { readonly unclear: string }
  | { readonly shared: readonly number[]; readonly search: readonly number[]; readonly each: Readonly<Record<string, readonly number[]>> };

/** All inputs of an observation in one order: paths first, then folders that were listed. */
export interface InputTable {
  readonly paths: readonly string[];
  readonly lists: readonly string[];
}

export function inputTable({
  files,
  found,
  absent,
  listed,
  apart,
}: Pick<Observation, 'files' | 'found' | 'absent' | 'listed' | 'apart'>): InputTable {
  return {
    paths: [...files, ...found, ...apart.tools, ...absent],
    lists: [...listed.map(({ path }) => path), ...apart.toolLists],
  };
}

/** Returns the text of an observation file. */
export function formatObservation(observation: Observation): string {
  return `${JSON.stringify(observation, undefined, 1)}\n`;
}

/** Parses an observation. Throws `OBSERVATION_INVALID` for another version, a truncated text, or other content. */
export function parseObservation(text: string, file: string): Observation {
  return checkObservation(parseJson(text, file), file);
}

/** Does the same for a parsed text. */
export function checkObservation(value: unknown, file: string): Observation {
  if (!isPlainObject(value)) throw invalid(file, 'it is no observation');
  const { schemaVersion } = value;
  if (typeof schemaVersion === 'number' && schemaVersion !== 1)
    throw invalid(file, `its version is ${schemaVersion}, but this program supports version 1`);
  if (!isObservation(value)) throw invalid(file, 'it is no observation');
  return value;
}

/** Throws `OBSERVATION_INVALID` for invalid JSON. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(file, 'it is not JSON, or is truncated');
  }
}

/** Checks the shape of all parts: a missing list would look as if nothing was read. */
function isObservation(value: object): value is Observation {
  const one = value as Readonly<Record<string, unknown>>;
  const { schemaVersion, commit, version, workspace, complete, gaps, listed, packages, platform, apart, task, plan, variables } = one;
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
    (variables === undefined || areVariables(variables)) &&
    isPlainObject(apart) &&
    apartLists.every((key) => areTexts(apart[key])) &&
    (one['testFiles'] === undefined || isTestFiles(one['testFiles'], countInputs(value as Observation)))
  );
}

function areVariables(value: unknown): boolean {
  return isPlainObject(value) && areTexts(value['read']) && areTexts(value['unset']) && typeof value['all'] === 'boolean';
}

/** The length of `inputTable`. */
function countInputs({ files, found, absent, listed, apart }: Observation): number {
  return [files, found, absent, listed, apart.tools, apart.toolLists].reduce((sum, { length }) => sum + length, 0);
}

/** A place behind the end would name no input, as if the file had not read it. */
function isTestFiles(value: unknown, count: number): boolean {
  if (!isPlainObject(value)) return false;
  const { unclear, shared, search, each } = value;
  if (unclear !== undefined) return typeof unclear === 'string';
  const arePlaces = (list: unknown): boolean =>
    Array.isArray(list) && list.every((place) => Number.isInteger(place) && place >= 0 && place < count);
  return arePlaces(shared) && arePlaces(search) && isPlainObject(each) && Object.values(each).every(arePlaces);
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
