import {
  byName,
  type ConfigFailure,
  type ConfigLocation,
  describeValue,
  type KeyPath,
  oneOf,
  readBlock,
  readByName,
  readFlag,
  readList,
  readObject,
  readPattern,
  readText,
  readTexts,
} from './config-reading.js';
import { DEFAULT_AFFECTED } from './default-affected.js';
import { type DroppedTask, parseDropped } from './dropped-tasks.js';
import { isPlainObject } from './plain-object.js';
import { DEFAULT_PUBLISH, type PublishConfig, parsePublish } from './publish-config.js';

/** The content of `tributary.json`, one block for each tool. As people write it: `ConfigDocument`. */
export interface Config {
  readonly migrate: MigrateConfig;
  readonly affected: AffectedConfig;
  readonly publish: PublishConfig;
}

export interface AffectedConfig {
  /** The base if neither `--base` nor the CI engine sets one, such as `origin/main`; `undefined`: auto-detected. */
  readonly base: string | undefined;
  /** Rules that apply before the built-in ones. The first rule that matches a file decides. */
  readonly rules: readonly FileRule[];
  /** Names of workspaces that every answer includes. */
  readonly always: readonly string[];
  /** Patterns for names of root-only dependencies. A change of any other dependency of the root package.json selects every workspace. */
  readonly rootOnlyDependencies: readonly string[];
  /** What a workspace reads besides its declared dependencies, by workspace name. These entries only widen an answer. */
  readonly edges: EdgesConfig;
  /** Workspaces that lose a task on purpose. A dropped task without an entry here fails the gate. */
  readonly dropped: readonly DroppedTask[];
  /** `respect`: a changed file that `inputs` in turbo.json exclude does not select the tests of its own workspace. */
  readonly turboInputs: 'respect' | 'ignore';
  readonly reach: ReachConfig;
  /** The gate fails for a script of a planned workspace that discards an exit code; otherwise it tells. */
  readonly strictScripts: boolean;
}

/** Whom changed files in workspaces select, by what they are. `itself`: their workspace, and whoever refers to them. */
export interface ReachConfig {
  readonly documentation: FileReach;
  /** The version of a package, what describes it, and ranges that lead to the same workspaces. */
  readonly versions: FileReach;
  /** Development dependencies that only tests and linters use. */
  readonly testDependencies: FileReach;
  readonly tests: FileReach;
}

export type FileReach = 'itself' | 'dependents';

export type EdgesConfig = Readonly<Record<string, WorkspaceReads>>;

/** What a workspace reads, each with the place that proves it, such as `packages/ui/src/a.test.ts:12`. */
export interface WorkspaceReads {
  /** By workspace name. */
  readonly workspaces: Readonly<Record<string, string>>;
  /** By path of a file or folder from the project root; `.` for the whole project. */
  readonly files: Readonly<Record<string, string>>;
}

/** Which workspaces a change of certain files selects. */
export interface FileRule {
  /** Globs relative to the project root. A leading `!` excludes files; at least one glob has none. */
  readonly files: readonly string[];
  /**
   * `owner`: the workspace that contains the file, without its dependents. Names: these workspaces and their dependents, in addition to the
   * owner.
   */
  readonly affects: 'all' | 'none' | 'owner' | readonly string[];
  /** The kinds of tasks that it is for; missing: all. */
  readonly tasks?: readonly RuledTask[];
  /** The evidence for the rule; `check` verifies that it still holds. */
  readonly because?: string;
}

/** The kinds of tasks that a rule can name. Of a task of another kind it is unknown what it reads. */
export const RULED_TASKS = ['test', 'build', 'lint', 'format'] as const;
export type RuledTask = (typeof RULED_TASKS)[number];

export interface MigrateConfig {
  /** The folder of an imported package. `{name}` (with its scope) and `{shortName}` are replaced. */
  readonly path: string;
  /**
   * The pattern for names of imported tags: `{name}`, `{shortName}`, `{version}` (without a leading `v`), `{tag}`. `false`: imports no
   * tags.
   */
  readonly tags: string | false;
  /** The packages that can be migrated by name alone. */
  readonly packages: Readonly<Record<string, PackageSource>>;
  readonly internal: InternalConfig;
  /** Decisions that are settled for all migrations: the reason, by the id that the report of a migration gives. */
  readonly decided: Readonly<Record<string, string>>;
  readonly versions: VersionsConfig;
}

/** How a migration changes dependencies between workspaces. */
export interface InternalConfig {
  /** The range that replaces theirs. */
  readonly range: 'workspace:^' | 'workspace:~' | 'workspace:*';
  /** `admitted`: converts only ranges that match the version in the workspace; `all`: converts the others too. */
  readonly convert: 'admitted' | 'all';
  /**
   * The program that packs for publishing; `detect`: auto-detected. npm packs package.json unchanged, so `workspace:` ranges are not
   * allowed.
   */
  readonly packer: 'detect' | 'yarn' | 'npm';
}

/** What happens to a dependency whose ranges in the monorepo exclude each other. `report`: nothing changes, a person decides. */
export type VersionPolicy = 'report' | 'highest' | 'workspace';

export interface VersionsConfig {
  readonly policy: VersionPolicy;
  /** By dependency name; `keep`: several versions are intended and are not reported. */
  readonly exceptions: Readonly<Record<string, VersionPolicy | 'keep'>>;
}

export interface PackageSource {
  readonly source: string;
  readonly path?: string;
  readonly branch?: string;
  readonly subdirectory?: string;
}

export const DEFAULT_CONFIG: Config = {
  migrate: {
    path: 'packages/{shortName}',
    tags: '{name}@{version}',
    packages: byName([]),
    internal: { range: 'workspace:^', convert: 'admitted', packer: 'detect' },
    versions: { policy: 'report', exceptions: byName([]) },
    decided: byName([]),
  },
  affected: DEFAULT_AFFECTED,
  publish: DEFAULT_PUBLISH,
};

/** The placeholders that a path pattern and a tag pattern may contain. */
const PATH_HOLES: readonly string[] = ['name', 'shortName'];
export const TAG_HOLES: readonly string[] = ['name', 'shortName', 'version', 'tag'];

/** Returns the parsed JSON of `tributary.json` as a `Config`, with defaults filled in. Calls `fail` for unknown keys and wrong types. */
export function parseConfig(value: unknown, fail: ConfigFailure): Config {
  const top = readObject(value, { path: [], keys: ['$schema', 'migrate', 'affected', 'publish'], fail });
  return {
    migrate: top['migrate'] === undefined ? DEFAULT_CONFIG.migrate : parseMigrate(top['migrate'], fail),
    affected: top['affected'] === undefined ? DEFAULT_CONFIG.affected : parseAffected(top['affected'], fail),
    publish: top['publish'] === undefined ? DEFAULT_PUBLISH : parsePublish(top['publish'], fail),
  };
}

function parseMigrate(value: unknown, fail: ConfigFailure): MigrateConfig {
  const read = readBlock(value, { path: ['migrate'], fail }, DEFAULT_CONFIG.migrate);
  return {
    path: read('path', (pattern, at) => readPattern(pattern, { ...at, holes: PATH_HOLES })),
    tags: read('tags', (pattern, at) => (pattern === false ? false : readPattern(pattern, { ...at, holes: TAG_HOLES }))),
    packages: read('packages', (packages, at) => readByName(packages, at, parsePackageSource)),
    internal: read('internal', parseInternal),
    decided: read('decided', (decided, at) => readByName(decided, at, readText)),
    versions: read('versions', parseVersions),
  };
}

function parseInternal(value: unknown, at: ConfigLocation): InternalConfig {
  const read = readBlock(value, at, DEFAULT_CONFIG.migrate.internal);
  return {
    range: read('range', oneOf('workspace:^', 'workspace:~', 'workspace:*')),
    convert: read('convert', oneOf('admitted', 'all')),
    packer: read('packer', oneOf('detect', 'yarn', 'npm')),
  };
}

const POLICIES = ['report', 'highest', 'workspace'] as const;

/** Reads `versions`. A string is the short form: the policy alone. */
function parseVersions(value: unknown, at: ConfigLocation): VersionsConfig {
  const standard = DEFAULT_CONFIG.migrate.versions;
  if (typeof value === 'string') return { ...standard, policy: oneOf(...POLICIES)(value, at) };
  const read = readBlock(value, at, standard);
  return {
    policy: read('policy', oneOf(...POLICIES)),
    exceptions: read('exceptions', (names, location) => readByName(names, location, oneOf(...POLICIES, 'keep'))),
  };
}

/** The keys that earlier versions had, and what applies now. */
const REMOVED: Readonly<Record<string, string>> = {
  observed: 'What tests read goes into affected.edges (affected check --observed --fix)',
  dev: 'A change follows every dependency, dev dependencies too',
};

function parseAffected(value: unknown, fail: ConfigFailure): AffectedConfig {
  const removed = isPlainObject(value) ? Object.entries(REMOVED).find(([key]) => key in value) : undefined;
  if (removed !== undefined) fail(['affected', removed[0]], `was removed: delete it. ${removed[1]}`);
  const read = readBlock(value, { path: ['affected'], fail }, DEFAULT_CONFIG.affected);
  return {
    base: read('base', readText),
    rules: read('rules', (rules, at) => readList(rules, at).map((rule, index) => parseRule(rule, { path: [...at.path, index], fail }))),
    always: read('always', readTexts),
    rootOnlyDependencies: read('rootOnlyDependencies', parseRootOnly),
    edges: read('edges', parseEdges),
    dropped: read('dropped', parseDropped),
    turboInputs: read('turboInputs', oneOf('respect', 'ignore')),
    reach: read('reach', parseReach),
    strictScripts: read('strictScripts', readFlag),
  };
}

function parseReach(value: unknown, at: ConfigLocation): ReachConfig {
  const read = readBlock<ReachConfig>(value, at, DEFAULT_AFFECTED.reach);
  const readReach = oneOf('itself', 'dependents');
  return {
    documentation: read('documentation', readReach),
    versions: read('versions', readReach),
    testDependencies: read('testDependencies', readReach),
    tests: read('tests', readReach),
  };
}

const NO_READS: WorkspaceReads = { workspaces: byName([]), files: byName([]) };

function parseEdges(value: unknown, edges: ConfigLocation): EdgesConfig {
  return readByName(value, edges, (reads, at) => {
    const read = readBlock(reads, at, NO_READS);
    return {
      workspaces: read('workspaces', (proofs, location) => readByName(proofs, location, readText)),
      files: read('files', (proofs, location) => readByName(proofs, location, readFileProof)),
    };
  });
}

/** Returns the place that proves a read of a file. Rejects a path that no changed file can have. */
function readFileProof(proof: unknown, at: ConfigLocation, name: string): string {
  if (name.includes('*')) at.fail(at.path, 'must be a file or a folder, not a pattern; a folder includes everything in it');
  if (name !== '.' && name.split('/').some((part) => ['', '.', '..'].includes(part)))
    at.fail(at.path, 'must be a path from the root of the project, without an empty part, "." or ".."');
  return readText(proof, at);
}

/** Reads root-only dependencies. An entry is a pattern, or a pattern with the reason for people. */
function parseRootOnly(value: unknown, { path, fail }: ConfigLocation): readonly string[] {
  return readList(value, { path, fail }).map((entry, index) => {
    const at = (...keys: KeyPath): ConfigLocation => ({ path: [...path, index, ...keys], fail });
    if (typeof entry === 'string') return readText(entry, at());
    const { name, because } = readObject(entry, { ...at(), keys: ['name', 'because'] });
    readText(because, at('because'));
    return readText(name, at('name'));
  });
}

function parseRule(value: unknown, at: ConfigLocation): FileRule {
  const rule = readObject(value, { ...at, keys: ['files', 'affects', 'tasks', 'because'] });
  const { files, affects, tasks, because } = rule;
  const below = (key: string): ConfigLocation => ({ path: [...at.path, key], fail: at.fail });
  if (Array.isArray(tasks) && tasks.length === 0) at.fail(below('tasks').path, 'must name at least one kind of task');
  const more = {
    ...(tasks === undefined ? {} : { tasks: readTexts(tasks, below('tasks'), readRuledTask) as readonly RuledTask[] }),
    ...(because === undefined ? {} : { because: readText(because, below('because')) }),
  };
  if (files === undefined || affects === undefined) return at.fail(at.path, 'needs "files" and "affects"');
  const filesAt = below('files');
  const patterns = typeof files === 'string' ? [readGlob(files, filesAt)] : readTexts(files, filesAt, readGlob);
  if (patterns.every(isNegativeGlob)) at.fail(filesAt.path, 'must name at least one pattern that does not begin with "!"');
  const affectsAt = below('affects');
  if (!Array.isArray(affects)) return { files: patterns, affects: readEffect(affects, affectsAt), ...more };
  const names = readTexts(affects, affectsAt);
  // An empty list could be meant as "none" or be a mistake; only one of them is safe.
  if (names.length === 0) at.fail(affectsAt.path, 'must name at least one workspace; to select nothing, write "none"');
  return { files: patterns, affects: names, ...more };
}

function readRuledTask(value: unknown, at: ConfigLocation): RuledTask {
  const task = RULED_TASKS.find((one) => one === value);
  return task ?? at.fail(at.path, `must be one of ${RULED_TASKS.join(', ')}, not ${describeValue(value)}`);
}

function parsePackageSource(value: unknown, at: { path: KeyPath; fail: ConfigFailure }): PackageSource {
  const keys = ['source', 'path', 'branch', 'subdirectory'] as const;
  const entry = readObject(value, { ...at, keys });
  if (entry['source'] === undefined) at.fail(at.path, 'needs "source", the address or path of the repository');
  const texts = keys
    .filter((key) => entry[key] !== undefined)
    .map((key) => [key, readText(entry[key], { path: [...at.path, key], fail: at.fail })] as const);
  return Object.fromEntries(texts) as unknown as PackageSource;
}

/** Rejects a glob that can match no file: its rule would never apply. */
function readGlob(value: unknown, at: ConfigLocation): string {
  const glob = readText(value, at);
  if (glob.length > 1 && glob.endsWith('/'))
    return at.fail(at.path, `names a folder; for its contents, write ${JSON.stringify(`${glob}**`)}`);
  // `../` in front leads to what lies beside the project in the same repository.
  if (/^\.{0,2}(?:\/|$)|\/\.{0,2}(?:\/|$)/.test(glob.replace(/^!?(?:(?:\.\.\/)+(?=[^/]))?/, '')))
    return at.fail(at.path, `must be a path from the root of the project, without an empty part, "." or "..", not ${describeValue(glob)}`);
  return glob;
}

/** `!(a|b)` is not an exclusion: it is an extended glob that matches anything but `a` and `b`. */
export function isNegativeGlob(glob: string): boolean {
  return glob.startsWith('!') && glob[1] !== '(';
}

function readEffect(value: unknown, at: ConfigLocation): 'all' | 'none' | 'owner' {
  const found = (['all', 'none', 'owner'] as const).find((effect) => effect === value);
  return found ?? at.fail(at.path, `must be "all", "none", "owner" or a list of names of workspaces, not ${describeValue(value)}`);
}
