import {
  byName,
  type ConfigFailure,
  type ConfigLocation,
  type KeyPath,
  nameOf,
  readChoice,
  readList,
  readObject,
  readPattern,
  readText,
  readTexts,
} from './config-reading.js';
import { DEFAULT_AFFECTED } from './default-affected.js';
import { type DroppedTask, parseDropped } from './dropped-tasks.js';
import { DEFAULT_PUBLISH, type PublishConfig, parsePublish } from './publish-config.js';

/** `tributary.json`, one block for each tool. Schema: `packages/model/schema/tributary.schema.json`. */
export interface Config {
  readonly migrate: MigrateConfig;
  readonly affected: AffectedConfig;
  readonly publish: PublishConfig;
}

export interface AffectedConfig {
  /** What a change is compared with where neither `--base` nor the CI engine says it, such as `origin/main`; `undefined`: found by itself. */
  readonly base: string | undefined;
  /** The first rule that matches a file decides; before the built-in ones. */
  readonly rules: readonly FileRule[];
  /** Names of the workspaces that are in every answer. */
  readonly always: readonly string[];
  /** `terminal`: a changed dev dependency affects the workspace that has it, and no further. */
  readonly dev: 'transitive' | 'terminal';
  /** Patterns for names of dependencies of the root package.json that only the root itself uses; any other of them counts for all. */
  readonly rootOnlyDependencies: readonly string[];
  /** By pattern, what told that; `check` looks whether it still holds. */
  readonly rootOnlyBecause: Readonly<Record<string, string>>;
  /** By the name of a workspace, what it reads beside the dependencies that it declares. They only widen an answer. */
  readonly edges: EdgesConfig;
  /** Workspaces that lose a task on purpose. Without its entry here the gate does not pass. */
  readonly dropped: readonly DroppedTask[];
  /** Whether a changed file that `inputs` in turbo.json leave out does not select the tests of its own workspace. */
  readonly turboInputs: 'respect' | 'ignore';
  /** What observations do, where there are some. `add`: what was read is an edge; `narrow`: what was not read also selects less. */
  readonly observed: 'off' | 'add' | 'narrow';
}

export type EdgesConfig = Readonly<Record<string, WorkspaceReads>>;

/** What a workspace reads, each with the place that proves it, such as `packages/ui/src/a.test.ts:12`. */
export interface WorkspaceReads {
  /** By the name of a workspace. */
  readonly workspaces: Readonly<Record<string, string>>;
  /** By the path of a file or folder, from the root of the project; `.` for all of it. */
  readonly files: Readonly<Record<string, string>>;
}

/** What a change of certain files affects. */
export interface FileRule {
  /** Globs from the root of the project; at least one without a `!` in front, which takes files out again. */
  readonly files: readonly string[];
  /** `owner`: the workspace that holds the file, without its dependents. Names: these workspaces and their dependents, beside the owner. */
  readonly affects: 'all' | 'none' | 'owner' | readonly string[];
  /** What told that; `check` looks whether it still holds. */
  readonly because?: string;
}

export interface MigrateConfig {
  /** Where a package goes: `{name}` (with its scope) and `{shortName}` are replaced. */
  readonly path: string;
  /** What a tag is called after the move: `{name}`, `{shortName}`, `{version}` (without a leading `v`), `{tag}`. `false` brings no tags. */
  readonly tags: string | false;
  /** The packages that can be migrated by name alone. */
  readonly packages: Readonly<Record<string, PackageSource>>;
  readonly internal: InternalConfig;
  /** What the report of a migration left to a person and was answered for all to come: why, by the id that the report gives. */
  readonly decided: Readonly<Record<string, string>>;
  readonly versions: VersionsConfig;
}

/** What becomes of dependencies between workspaces when a package comes in. */
export interface InternalConfig {
  /** What their ranges become. */
  readonly range: 'workspace:^' | 'workspace:~' | 'workspace:*';
  /** `admitted`: only where the range that stood there admits the local version; `all`: the others too. */
  readonly convert: 'admitted' | 'all';
  /** Who packs what is published: npm packs a package.json as it is, so `workspace:` must not stand there; `detect`: it is looked for. */
  readonly packer: 'detect' | 'yarn' | 'npm';
}

/** What becomes of a dependency whose ranges in the workspace exclude each other. `report`: nothing, a person decides. */
export type VersionPolicy = 'report' | 'highest' | 'workspace';

export interface VersionsConfig {
  readonly policy: VersionPolicy;
  /** By the name of a dependency; `keep`: several versions are wanted, and nothing is said of them. */
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
    decided: byName([]),
    versions: { policy: 'report', exceptions: byName([]) },
  },
  affected: DEFAULT_AFFECTED,
  publish: DEFAULT_PUBLISH,
};

/** What a path pattern and a tag pattern may hold in braces. */
const PATH_HOLES: readonly string[] = ['name', 'shortName'];
export const TAG_HOLES: readonly string[] = ['name', 'shortName', 'version', 'tag'];

/** The parsed JSON of `tributary.json` as a `Config`, with defaults filled in. Calls `fail` for unknown keys and wrong types. */
export function parseConfig(value: unknown, fail: ConfigFailure): Config {
  const top = readObject(value, { path: [], keys: ['$schema', 'migrate', 'affected', 'publish'], fail });
  return {
    migrate: top['migrate'] === undefined ? DEFAULT_CONFIG.migrate : parseMigrate(top['migrate'], fail),
    affected: top['affected'] === undefined ? DEFAULT_CONFIG.affected : parseAffected(top['affected'], fail),
    publish: top['publish'] === undefined ? DEFAULT_PUBLISH : parsePublish(top['publish'], fail),
  };
}

function parseMigrate(value: unknown, fail: ConfigFailure): MigrateConfig {
  const path = ['migrate'];
  const at = (key: string): ConfigLocation => ({ path: [...path, key], fail });
  const block = readObject(value, { path, keys: ['path', 'tags', 'packages', 'internal', 'versions', 'decided'], fail });
  const decided = block['decided'] === undefined ? {} : readObject(block['decided'], at('decided'));
  const packages = block['packages'] === undefined ? {} : readObject(block['packages'], { path: [...path, 'packages'], fail });
  return {
    path: readPattern(block['path'] === undefined ? DEFAULT_CONFIG.migrate.path : block['path'], {
      path: [...path, 'path'],
      holes: PATH_HOLES,
      fail,
    }),
    tags:
      block['tags'] === false
        ? false
        : readPattern(block['tags'] === undefined ? DEFAULT_CONFIG.migrate.tags : block['tags'], {
            path: [...path, 'tags'],
            holes: TAG_HOLES,
            fail,
          }),
    packages: byName(
      Object.entries(packages).map(([name, entry]) => [name, parsePackageSource(entry, { path: [...path, 'packages', name], fail })]),
    ),
    decided: byName(Object.entries(decided).map(([id, why]) => [id, readText(why, { path: [...path, 'decided', id], fail })])),
    internal: block['internal'] === undefined ? DEFAULT_CONFIG.migrate.internal : parseInternal(block['internal'], at('internal')),
    versions: block['versions'] === undefined ? DEFAULT_CONFIG.migrate.versions : parseVersions(block['versions'], at('versions')),
  };
}

const INTERNAL_RANGES = ['workspace:^', 'workspace:~', 'workspace:*'] as const;
const POLICIES = ['report', 'highest', 'workspace'] as const;

function parseInternal(value: unknown, { path, fail }: ConfigLocation): InternalConfig {
  const { range, convert, packer } = readObject(value, { path, keys: ['range', 'convert', 'packer'], fail });
  const standard = DEFAULT_CONFIG.migrate.internal;
  return {
    range: range === undefined ? standard.range : readChoice(range, INTERNAL_RANGES, { path: [...path, 'range'], fail }),
    convert: convert === undefined ? standard.convert : readChoice(convert, ['admitted', 'all'], { path: [...path, 'convert'], fail }),
    packer: packer === undefined ? standard.packer : readChoice(packer, ['detect', 'yarn', 'npm'], { path: [...path, 'packer'], fail }),
  };
}

/** A policy alone is the short form. */
function parseVersions(value: unknown, { path, fail }: ConfigLocation): VersionsConfig {
  const standard = DEFAULT_CONFIG.migrate.versions;
  if (typeof value === 'string') return { ...standard, policy: readChoice(value, POLICIES, { path, fail }) };
  const { policy, exceptions = {} } = readObject(value, { path, keys: ['policy', 'exceptions'], fail });
  const named = Object.entries(readObject(exceptions, { path: [...path, 'exceptions'], fail }));
  return {
    policy: policy === undefined ? standard.policy : readChoice(policy, POLICIES, { path: [...path, 'policy'], fail }),
    exceptions: byName(
      named.map(([name, one]) => [name, readChoice(one, [...POLICIES, 'keep'] as const, { path: [...path, 'exceptions', name], fail })]),
    ),
  };
}

function parseAffected(value: unknown, fail: ConfigFailure): AffectedConfig {
  const path = ['affected'];
  const keys = ['base', 'rules', 'always', 'dev', 'rootOnlyDependencies', 'edges', 'dropped', 'turboInputs', 'observed'];
  const block = readObject(value, { path, keys, fail });
  const at = (...keys: KeyPath): ConfigLocation => ({ path: [...path, ...keys], fail });
  const texts = (key: string): readonly string[] => (block[key] === undefined ? [] : readTexts(block[key], at(key)));
  return {
    base: block['base'] === undefined ? undefined : readText(block['base'], at('base')),
    rules:
      block['rules'] === undefined ? [] : readList(block['rules'], at('rules')).map((rule, index) => parseRule(rule, at('rules', index))),
    always: texts('always'),
    dev: block['dev'] === undefined ? DEFAULT_CONFIG.affected.dev : readChoice(block['dev'], ['transitive', 'terminal'], at('dev')),
    ...parseRootOnly(block['rootOnlyDependencies'], at('rootOnlyDependencies')),
    edges: block['edges'] === undefined ? DEFAULT_CONFIG.affected.edges : parseEdges(block['edges'], at('edges')),
    dropped: block['dropped'] === undefined ? [] : parseDropped(block['dropped'], at('dropped')),
    turboInputs:
      block['turboInputs'] === undefined
        ? DEFAULT_CONFIG.affected.turboInputs
        : readChoice(block['turboInputs'], ['respect', 'ignore'], at('turboInputs')),
    observed:
      block['observed'] === undefined
        ? DEFAULT_CONFIG.affected.observed
        : readChoice(block['observed'], ['off', 'add', 'narrow'], at('observed')),
  };
}

function parseEdges(value: unknown, { path, fail }: ConfigLocation): EdgesConfig {
  const readers = Object.entries(readObject(value, { path, fail }));
  return byName(
    readers.map(([name, reads]) => {
      const { workspaces, files } = readObject(reads, { path: [...path, name], keys: ['workspaces', 'files'], fail });
      const at = (key: string): ConfigLocation => ({ path: [...path, name, key], fail });
      return [name, { workspaces: readProofs(workspaces, at('workspaces')), files: readProofs(files, at('files'), refuseOddPath) }];
    }),
  );
}

/** What is read -> the place that proves it. */
function readProofs(
  value: unknown,
  { path, fail }: ConfigLocation,
  check: (name: string, at: ConfigLocation) => void = () => {},
): Readonly<Record<string, string>> {
  const proofs = value === undefined ? [] : Object.entries(readObject(value, { path, fail }));
  return byName(
    proofs.map(([name, proof]) => {
      const at = { path: [...path, name], fail };
      check(name, at);
      return [name, readText(proof, at)];
    }),
  );
}

/** Refuses what would be the path of no changed file. */
function refuseOddPath(name: string, at: ConfigLocation): void {
  if (name.includes('*')) at.fail(at.path, 'must be a file or a folder, not a pattern; a folder includes everything in it');
  if (name !== '.' && name.split('/').some((part) => ['', '.', '..'].includes(part)))
    at.fail(at.path, 'must be a path from the root of the project, without an empty part, "." or ".."');
}

/** A pattern alone, or with what told that the root alone uses it. */
function parseRootOnly(value: unknown, { path, fail }: ConfigLocation): Pick<AffectedConfig, 'rootOnlyDependencies' | 'rootOnlyBecause'> {
  const entries = value === undefined ? [] : readList(value, { path, fail });
  const read = entries.map((entry, index): readonly [string, string | undefined] => {
    const at = (...keys: KeyPath): ConfigLocation => ({ path: [...path, index, ...keys], fail });
    if (typeof entry === 'string') return [readText(entry, at()), undefined];
    const { name, because } = readObject(entry, { ...at(), keys: ['name', 'because'] });
    return [readText(name, at('name')), readText(because, at('because'))];
  });
  const known = read.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { rootOnlyDependencies: read.map(([name]) => name), rootOnlyBecause: byName(known) };
}

function parseRule(value: unknown, at: ConfigLocation): FileRule {
  const rule = readObject(value, { ...at, keys: ['files', 'affects', 'because'] });
  const { files, affects } = rule;
  const because =
    rule['because'] === undefined ? {} : { because: readText(rule['because'], { path: [...at.path, 'because'], fail: at.fail }) };
  if (files === undefined || affects === undefined) return at.fail(at.path, 'needs "files" and "affects"');
  const filesAt = { path: [...at.path, 'files'], fail: at.fail };
  const patterns = typeof files === 'string' ? [readGlob(files, filesAt)] : readTexts(files, filesAt, readGlob);
  if (patterns.every(isNegativeGlob)) at.fail(filesAt.path, 'must name at least one pattern that does not begin with "!"');
  const affectsAt = { path: [...at.path, 'affects'], fail: at.fail };
  if (!Array.isArray(affects)) return { files: patterns, affects: readEffect(affects, affectsAt), ...because };
  const names = readTexts(affects, affectsAt);
  // An empty list could be meant as "none" or be a mistake; only one of them is safe.
  if (names.length === 0) at.fail(affectsAt.path, 'must name at least one workspace; to select nothing, write "none"');
  return { files: patterns, affects: names, ...because };
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

/** Refuses what would match no file at all: a rule that never applies is a promise that nobody keeps. */
function readGlob(value: unknown, at: ConfigLocation): string {
  const glob = readText(value, at);
  if (glob.length > 1 && glob.endsWith('/'))
    return at.fail(at.path, `names a folder; for its contents, write ${JSON.stringify(`${glob}**`)}`);
  // `../` in front leads to what lies beside the project in the same repository.
  if (/^\.{0,2}(?:\/|$)|\/\.{0,2}(?:\/|$)/.test(glob.replace(/^!?(?:(?:\.\.\/)+(?=[^/]))?/, '')))
    return at.fail(at.path, `must be a path from the root of the project, without an empty part, "." or "..", not ${nameOf(glob)}`);
  return glob;
}

/** `!(a|b)` is a pattern for what is neither. */
function isNegativeGlob(glob: string): boolean {
  return glob.startsWith('!') && glob[1] !== '(';
}

function readEffect(value: unknown, at: ConfigLocation): 'all' | 'none' | 'owner' {
  const found = (['all', 'none', 'owner'] as const).find((effect) => effect === value);
  return found ?? at.fail(at.path, `must be "all", "none", "owner" or a list of names of workspaces, not ${nameOf(value)}`);
}
