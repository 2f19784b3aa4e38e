import { dependencyLines, descriptorsOf, pairsOf, readPair } from '@tributary/lockfile/record';
import { withoutBom } from '@tributary/model/file-text';
import { type Member, ownerPlace } from '../dependency-graph.js';
import { resolveFolder } from '../folders.js';
import type { BerryMembers } from './members.js';

/**
 * Whether a package that is no workspace may ask for one of these workspaces: its range admits the workspace, so that Yarn takes it. Then
 * there are paths from workspace to workspace that only the whole lockfile shows. So too where a range stands in a key and no visible line
 * asks for it: `packageExtensions` add such.
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
  return outsidePairs(index, ([name, range]) => asked.has(`${name}@${range}`) || asked.has(`${name}@npm:${range}`));
}

/** Whether an entry that is no workspace's has a dependency that matches; each distinct line is looked at once. */
function outsidePairs({ records }: BerryMembers['index'], matches: (pair: readonly [string, string]) => boolean): boolean {
  const known = new Set<string>();
  return records.some((record) => {
    if (record.workspace !== undefined) return false;
    if (record.dependenciesAt === 0) return pairsOf(record).some(matches);
    return dependencyLines(record).some((line) => isNew(known, line) && matches(readPair(line)));
  });
}

/**
 * Whether a package that is no member gets one of these members by `resolutions` of the root, which lead there by a range or by the name
 * they are for, whatever the package asks for.
 */
export function isResolvedTo({ index, graph }: BerryMembers, members: readonly Member[], texts: RootFiles): boolean {
  const { 'package.json': rootManifest, '.yarnrc.yml': settings = '' } = texts;
  if (rootManifest === undefined || !rootManifest.includes('"resolutions"')) return false;
  // What these add to packages does not stand in the lockfile.
  const hasExtensions = settings.includes('packageExtensions');
  const root = graph.byPath.get('');
  const names = new Set<string>(members.map(({ name }) => name));
  const places = new Set(members.map(({ path }) => graph.byPath.get(path)));
  return readResolutions(rootManifest).some(([pattern, range]) => {
    const path = /^(?:workspace|portal|link|file|exec):(.*)$/s.exec(range)?.[1];
    const folder = path === undefined ? undefined : resolveFolder('', path);
    const owner = folder === undefined ? undefined : ownerPlace(graph, folder);
    const name = nameOfPattern(pattern);
    // A path takes the place of whatever anybody asks for under the name, members too.
    if (owner !== undefined && owner !== root && !range.startsWith('workspace:')) return true;
    return (
      (names.has(name) || (owner !== root && places.has(owner))) &&
      (hasExtensions || outsidePairs(index, ([dependency]) => dependency === name))
    );
  });
}

function isNew(known: Set<string>, line: string): boolean {
  const before = known.size;
  return known.add(line).size > before;
}

/** As the manifest has them; nothing of one that cannot be read, which whoever reads it in earnest will say. */
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

/** Whether `packageExtensions` may give one of these members to a package; what they add does not stand in the lockfile. */
export function isNamedInExtensions(settings: string | undefined, members: readonly Member[]): boolean {
  return settings?.includes('packageExtensions') === true && members.some(({ name }) => settings.includes(name));
}

/** `a/@acme/lib@npm:^1` -> `@acme/lib`. */
function nameOfPattern(pattern: string): string {
  return /(?:^|\/)((?:@[^/@]+\/)?[^/@]+)(?:@.*)?$/.exec(pattern)?.[1] ?? pattern;
}
