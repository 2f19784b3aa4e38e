import { withoutBom } from '@tributary/model/file-text';
import { isRecord } from '@tributary/model/record';
import type { BerryMembers } from '@tributary/workspaces/lock/berry-members';
import type { PackageLink } from '@tributary/workspaces/lock/links';
import { namesResolved } from '@tributary/workspaces/lock/outside';
import { linksInScan } from '@tributary/workspaces/lock/scanned-links';
import { type Member, type MemberGraph, ownerPlace } from '@tributary/workspaces/members';
import type { RootTexts } from '../io/reading.js';
import { withLinks } from '../reasons/with-links.js';
import type { Situation } from './situation.js';

/**
 * The graph with the edges that lead through packages from outside: the same object where none leads to one of those found. `undefined` where
 * the whole lockfile has to be read: it is not as Yarn writes it, or a path leads into a workspace.
 */
export async function findLinkedGraph(
  situation: Pick<Situation, 'files' | 'texts'>,
  members: BerryMembers,
  found: readonly Member[],
): Promise<MemberGraph | undefined> {
  const { graph, linked, source } = members;
  const { texts } = situation;
  const root = graph.byPath.get('');
  const resolved = namesResolved(members, texts);
  if (resolved === undefined || !source.isAsYarnWrites() || linked.some((folder) => ownerPlace(graph, folder) !== root)) return undefined;
  const asked = [...graph.members.keys()].filter(
    (place) => resolved.has(graph.members[place]?.name ?? '') || source.edges.areAskedOutside([place]),
  );
  const links = scannedLinks(texts, members, asked) ?? (await linksInExcerpt(situation, members, asked));
  const paths = new Set<string>(found.map(({ path }) => path));
  return links?.some(({ to }) => paths.has(to)) === true ? withLinks(graph, links) : links && graph;
}

async function linksInExcerpt(...question: Parameters<typeof import('./linked-excerpt.js').findLinksInExcerpt>) {
  const { findLinksInExcerpt } = await import('./linked-excerpt.js');
  return findLinksInExcerpt(...question);
}

/** As the machine code has them; `undefined` for what is left to the excerpt. */
function scannedLinks(texts: RootTexts, { source }: BerryMembers, asked: readonly number[]): readonly PackageLink[] | undefined {
  const resolutions = resolutionsOf(texts['package.json'] ?? '');
  const hasExtensions = texts['.yarnrc.yml']?.includes('packageExtensions') === true;
  if (source.scan === undefined || resolutions === undefined || hasExtensions) return undefined;
  return linksInScan(source.scan, { members: asked, resolutions });
}

/** As `parseManifest` has them; `undefined` for a file in which anything is wrong, which it will say. */
function resolutionsOf(manifest: string): ReadonlyMap<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(withoutBom(manifest));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    if (!isRecord(value) || /[\0-\x1f\x7f]/.test(String(value['name']))) return undefined;
    const entries = Object.entries(isRecord(value['resolutions']) ? value['resolutions'] : {});
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return undefined;
  }
}
