import {
  byName,
  type ConfigFailure,
  type ConfigLocation,
  readChoice,
  readObject,
  readPattern,
  readText,
  readTexts,
} from './config-reading.js';

/** Settings of commit-to-publish, which measures lead times. */
export interface PublishConfig {
  /** The folder with the events, relative to the folder of tributary.json. */
  readonly record: string;
  /** Which publications count; if empty, each call must name them. */
  readonly channels: readonly string[];
  /** The start of a change's lead time. */
  readonly ready: 'merged' | 'approved';
  /**
   * Sources of publications. `versions`: the commit that set a version, if it has no tag. `releases`: GitHub releases, if GitHub is used.
   */
  readonly sources: readonly ('tags' | 'versions' | 'releases')[];
  /** By GitHub environment: globs for names of the packages that its deployments publish. */
  readonly deployments: Readonly<Record<string, readonly string[]>>;
  /** Globs for names of GitHub Actions workflows and jobs that publish. */
  readonly jobs: readonly string[];
  /** Patterns for release tags; empty: the usual ones. */
  readonly tags: readonly string[];
  /** The address of the npm registry to query as well; `undefined`: none. */
  readonly registry: string | undefined;
  /** By team name: globs for package names. If empty, CODEOWNERS decides. */
  readonly teams: Readonly<Record<string, readonly string[]>>;
  /** Former name of a package -> its later name. Both count as one package. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Package -> the commit that imported it into the monorepo, as a full id or its first digits. For moves without an import record. */
  readonly moved: Readonly<Record<string, string>>;
  /** Author names that belong to bots, in addition to the well-known ones. */
  readonly bots: readonly string[];
}

export const DEFAULT_PUBLISH: PublishConfig = {
  record: '.tributary/record',
  channels: [],
  ready: 'merged',
  sources: ['tags', 'versions', 'releases'],
  deployments: byName([]),
  jobs: ['*publish*', '*release*', '*deploy*'],
  tags: [],
  registry: undefined,
  teams: byName([]),
  renamed: byName([]),
  moved: byName([]),
  bots: [],
};

const SOURCES = ['tags', 'versions', 'releases'] as const;
const KEYS = [
  'record',
  'channels',
  'ready',
  'sources',
  'deployments',
  'jobs',
  'tags',
  'registry',
  'teams',
  'renamed',
  'moved',
  'bots',
] as const;
const HOLES: readonly string[] = ['name', 'shortName', 'version'];

/** Reads the block `publish`, with defaults filled in. Calls `fail` for unknown keys and wrong types. */
export function parsePublish(value: unknown, fail: ConfigFailure): PublishConfig {
  const path = ['publish'];
  const block = readObject(value, { path, keys: KEYS, fail });
  const read = <Key extends (typeof KEYS)[number]>(
    key: Key,
    reader: (value: unknown, at: ConfigLocation) => PublishConfig[Key],
  ): PublishConfig[Key] => (block[key] === undefined ? DEFAULT_PUBLISH[key] : reader(block[key], { path: [...path, key], fail }));
  return {
    record: read('record', readText),
    channels: read('channels', (names, at) => readTexts(names, at)),
    ready: read('ready', (moment, at) => readChoice(moment, ['merged', 'approved'], at)),
    sources: read('sources', (names, at) => readTexts(names, at, readSource) as PublishConfig['sources']),
    deployments: read('deployments', readGlobs),
    jobs: read('jobs', (globs, at) => readTexts(globs, at)),
    tags: read('tags', (patterns, at) => readTexts(patterns, at, readTagPattern)),
    registry: read('registry', readAddress),
    teams: read('teams', readGlobs),
    renamed: read('renamed', readRenames),
    moved: read('moved', readMoves),
    bots: read('bots', (names, at) => readTexts(names, at)),
  };
}

function readSource(value: unknown, at: ConfigLocation): string {
  return readChoice(value, SOURCES, at);
}

function readTagPattern(value: unknown, at: ConfigLocation): string {
  const pattern = readPattern(value, { ...at, holes: HOLES });
  return pattern.includes('{version}') ? pattern : at.fail(at.path, 'has no {version}, so no version can be read from a tag');
}

function readAddress(value: unknown, at: ConfigLocation): string {
  const text = readText(value, at);
  return /^https?:\/\/[^/@]+(?:\/|$)/.test(text)
    ? text
    : at.fail(at.path, 'must be an address that begins with https:// and has no credential');
}

function readRenames(value: unknown, { path, fail }: ConfigLocation): Readonly<Record<string, string>> {
  const entries = Object.entries(readObject(value, { path, fail })).map(([name, later]): [string, string] => {
    const key = [...path, name];
    if (name === later) fail(key, 'is the same name');
    return [name, readText(later, { path: key, fail })];
  });
  const names = new Map(entries);
  for (const [name] of entries) {
    const seen = new Set([name]);
    for (let next = names.get(name); next !== undefined; next = names.get(next)) {
      if (seen.has(next)) fail([...path, name], `leads back to "${next}"`);
      seen.add(next);
    }
  }
  return byName(entries);
}

function readMoves(value: unknown, { path, fail }: ConfigLocation): Readonly<Record<string, string>> {
  const entries = Object.entries(readObject(value, { path, fail })).map(([name, commit]): [string, string] => {
    const at = { path: [...path, name], fail };
    const id = readText(commit, at);
    return [name, /^[0-9a-f]{7,64}$/.test(id) ? id : fail(at.path, 'is not the id of a commit, with at least 7 digits')];
  });
  return byName(entries);
}

function readGlobs(value: unknown, { path, fail }: ConfigLocation): Readonly<Record<string, readonly string[]>> {
  const entries = Object.entries(readObject(value, { path, fail }));
  // Neither a team nor a GitHub environment can have an empty name.
  if (entries.some(([name]) => name.trim() === '')) fail(path, 'has an entry without a name');
  return byName(entries.map(([name, globs]) => [name, readTexts(globs, { path: [...path, name], fail })]));
}
