import {
  byName,
  type ConfigFailure,
  type ConfigLocation,
  oneOf,
  readBlock,
  readByName,
  readObject,
  readPattern,
  readText,
  readTexts,
} from './config-reading.js';
import { parseRepoPath } from './paths.js';

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
const HOLES: readonly string[] = ['name', 'shortName', 'version'];

/** Reads the block `publish`, with defaults filled in. Calls `fail` for unknown keys and wrong types. */
export function parsePublish(value: unknown, fail: ConfigFailure): PublishConfig {
  const read = readBlock(value, { path: ['publish'], fail }, DEFAULT_PUBLISH);
  return {
    record: read('record', readFolder),
    channels: read('channels', readTexts),
    ready: read('ready', oneOf('merged', 'approved')),
    sources: read('sources', (names, at) => readTexts(names, at, oneOf(...SOURCES)) as PublishConfig['sources']),
    deployments: read('deployments', readGlobs),
    jobs: read('jobs', readTexts),
    tags: read('tags', (patterns, at) => readTexts(patterns, at, readTagPattern)),
    registry: read('registry', readAddress),
    teams: read('teams', readGlobs),
    renamed: read('renamed', readRenames),
    moved: read('moved', readMoves),
    bots: read('bots', readTexts),
  };
}

/** A folder elsewhere is given by an option: whoever commits this file must not lead what is written and removed out of the repository. */
function readFolder(value: unknown, at: ConfigLocation): string {
  const text = readText(value, at);
  try {
    return parseRepoPath(text);
  } catch (error) {
    return at.fail(at.path, `must be a folder below this file: ${(error as Error).message} Give any other folder with --record.`);
  }
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

function readMoves(value: unknown, moves: ConfigLocation): Readonly<Record<string, string>> {
  return readByName(value, moves, (commit, at) => {
    const id = readText(commit, at);
    return /^[0-9a-f]{7,64}$/.test(id) ? id : at.fail(at.path, 'is not the id of a commit, with at least 7 digits');
  });
}

function readGlobs(value: unknown, { path, fail }: ConfigLocation): Readonly<Record<string, readonly string[]>> {
  return readByName(value, { path, fail }, (globs, at, name) => {
    // Neither a team nor a GitHub environment can have an empty name.
    if (name.trim() === '') fail(path, 'has an entry without a name');
    return readTexts(globs, at);
  });
}
