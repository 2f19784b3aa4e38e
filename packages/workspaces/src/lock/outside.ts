import { withoutBom } from '@tributary/model/file-text';
import { resolveFolder } from '../folders.js';
import { type Member, ownerPlace } from '../members.js';
import type { BerryMembers, LockSource } from './berry-members.js';

/**
 * Whether a package that is no member may ask for one of these members: its range admits the workspace, so that Yarn takes it. Then there
 * are ways from member to member that only the whole lockfile shows. So too where a range stands in a key and nobody visible asks for it:
 * `packageExtensions` add such.
 */
export function asksFromOutside({ source, graph }: BerryMembers, members: readonly Member[]): boolean {
  const places = members.map(({ path }) => graph.byPath.get(path) ?? -1);
  return source.edges.areAskedOutside(places);
}

/**
 * Whether a package that is no member gets one of these members by `resolutions` of the root, which lead there by a range or by the name
 * they are for, whatever the package asks for.
 */
export function isResolvedTo({ source, graph }: BerryMembers, members: readonly Member[], texts: RootFiles): boolean {
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
    return (names.has(name) || (owner !== root && places.has(owner))) && (hasExtensions || isDependencyOutside(source, name));
  });
}

/**
 * The names of members that packages from outside may get by `resolutions` of the root, which stand under them. `undefined` where one leads
 * into a member under another name, or by another path than `workspace:`.
 */
export function namesResolved({ graph }: BerryMembers, texts: RootFiles): ReadonlySet<string> | undefined {
  const root = graph.byPath.get('');
  const members = new Set<string>(graph.members.map(({ name }) => name));
  const names = new Set<string>();
  for (const [pattern, range] of readResolutions(texts['package.json'] ?? '{}')) {
    const path = /^(?:portal|link|file|exec):(.*)$/s.exec(range)?.[1];
    const folder = path === undefined ? undefined : resolveFolder('', path);
    if (folder !== undefined && ownerPlace(graph, folder) !== root) return undefined;
    const name = nameOfPattern(pattern);
    if (members.has(name)) names.add(name);
    else if (range.startsWith('workspace:')) return undefined;
  }
  return names;
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

/** Whether an entry that is no workspace's has a dependency of that name; a peer is given by others. */
function isDependencyOutside({ text, blocks }: LockSource, name: string): boolean {
  const line = lineOf(name);
  for (let at = text.indexOf(line); at !== -1; at = text.indexOf(line, at + line.length))
    if (blocks.at(at) === undefined && text.startsWith('  dependencies:', fieldAbove(text, at))) return true;
  return false;
}

/** How a dependency begins in an entry. */
function lineOf(name: string): string {
  return `\n    ${name.startsWith('@') ? `"${name}"` : name}: `;
}

/** Where the line begins that a line of four spaces stands below. */
function fieldAbove(text: string, at: number): number {
  let start = at;
  do start = text.lastIndexOf('\n', start - 1);
  while (start > 0 && text.startsWith('    ', start + 1));
  return start + 1;
}

/** `a/@acme/lib@npm:^1` -> `@acme/lib`. */
function nameOfPattern(pattern: string): string {
  return /(?:^|\/)((?:@[^/@]+\/)?[^/@]+)(?:@.*)?$/.exec(pattern)?.[1] ?? pattern;
}
