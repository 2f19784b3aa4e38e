import { dependencyLines, descriptorsOf, pairsOf, readPair } from '@tributary/lockfile/record';
import { withoutBom } from '@tributary/model/file-text';
import { type Member, owningMember } from '../dependency-graph.js';
import { resolveFolder } from '../folders.js';
import type { BerryMembers } from './members.js';

/**
 * Returns whether a package that is not a workspace may depend on one of these workspaces, because its range matches the workspace and Yarn
 * uses it. Then only the whole lockfile shows some paths between workspaces. Also true if a key has a range that no visible line requests,
 * because `packageExtensions` add such requests.
 */
export function asksFromOutside({ index, askedInside }: BerryMembers, members: readonly Member[]): boolean {
  const folders = new Set(members.map(({ path }) => path));
  const asked = new Set<string>();
  for (const record of index.records) {
    if (record.workspace === undefined || !folders.has(record.workspace)) continue;
    for (const descriptor of descriptorsOf(record)) {
      if (!askedInside.has(descriptor) && !descriptor.includes('@workspace:')) return true;
      asked.add(descriptor);
    }
  }
  return outsidePairs(index, ([name, range]) => PATH.test(range) || asked.has(`${name}@${range}`) || asked.has(`${name}@npm:${range}`));
}

/** A package that lies in the project has such a path to another folder of it. */
const PATH = /^(?:portal|link|file|exec):/;

/** Returns whether an entry that is not a workspace has a matching dependency. Each distinct line is checked once. */
function outsidePairs({ records }: BerryMembers['index'], matches: (pair: readonly [string, string]) => boolean): boolean {
  const known = new Set<string>();
  return records.some((record) => {
    if (record.workspace !== undefined) return false;
    if (record.dependenciesAt === 0) return pairsOf(record).some(matches);
    return dependencyLines(record).some((line) => isNew(known, line) && matches(readPair(line)));
  });
}

/**
 * Returns whether `resolutions` of the root give one of these members to a package that is not a member. They lead there by their range or
 * by the name that they override, whatever the package requests.
 */
export function isResolvedTo({ index, graph }: BerryMembers, members: readonly Member[], texts: RootFiles): boolean {
  const { 'package.json': rootManifest, '.yarnrc.yml': settings = '' } = texts;
  if (rootManifest === undefined || !rootManifest.includes('"resolutions"')) return false;
  // The lockfile does not list what these add to packages.
  const hasExtensions = settings.includes('packageExtensions');
  const root = graph.byPath.get('');
  const names = new Set<string>(members.map(({ name }) => name));
  const owners = new Set(members.map(({ path }) => graph.byPath.get(path)));
  return readResolutions(rootManifest).some(([pattern, range]) => {
    const path = /^(?:workspace|portal|link|file|exec):(.*)$/s.exec(range)?.[1];
    const folder = path === undefined ? undefined : resolveFolder('', path);
    const owner = folder === undefined ? undefined : owningMember(graph, folder);
    const name = nameOfPattern(pattern);
    // A path replaces every request for the name, including those of members.
    if (owner !== undefined && owner !== root && !range.startsWith('workspace:')) return true;
    return (
      (names.has(name) || (owner !== root && owners.has(owner))) &&
      (hasExtensions || outsidePairs(index, ([dependency]) => dependency === name))
    );
  });
}

function isNew(known: Set<string>, line: string): boolean {
  const before = known.size;
  return known.add(line).size > before;
}

/**
 * Returns the resolutions of a manifest. For an unreadable one, returns an entry that matches everything; its real reader reports the
 * error.
 */
function readResolutions(manifest: string): readonly (readonly [string, string])[] {
  try {
    const { resolutions } = JSON.parse(withoutBom(manifest)) as { resolutions?: unknown };
    return Object.entries(resolutions ?? {}).map(([pattern, range]) => [pattern, String(range)]);
  } catch {
    return [['*', 'workspace:.']];
  }
}

interface RootFiles {
  readonly 'package.json': string | undefined;
  readonly '.yarnrc.yml': string | undefined;
}

/** Returns whether `packageExtensions` may give one of these members to a package. The lockfile does not list what they add. */
export function isNamedInExtensions(settings: string | undefined, members: readonly Member[]): boolean {
  return settings?.includes('packageExtensions') === true && members.some(({ name }) => settings.includes(name));
}

/** Returns the name in a pattern: `a/@acme/lib@npm:^1` -> `@acme/lib`. */
function nameOfPattern(pattern: string): string {
  return /(?:^|\/)((?:@[^/@]+\/)?[^/@]+)(?:@.*)?$/.exec(pattern)?.[1] ?? pattern;
}
