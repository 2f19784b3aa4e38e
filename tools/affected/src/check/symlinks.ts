import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { isDocument } from '@tributary/references/file-kinds';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import type { EscapingSymlink, ReadingReason } from './finding.js';
import { areCovered, type CheckedProject, carriesFiles, findDestination, isReached, nameAt } from './project.js';

/** A tracked symbolic link. */
export interface SymbolicLink {
  readonly path: RepoPath;
  /** As git stores it. */
  readonly text: string;
}

/**
 * Finds links that lead out of their workspace without an edge between the two or a rule that covers the target. It follows links to links,
 * but never on disk. In the order of the links.
 */
export function findEscapingSymlinks(project: CheckedProject, links: readonly SymbolicLink[]): readonly EscapingSymlink[] {
  const texts = linkTexts(links);
  return links.flatMap((link) => {
    const from = owningMember(project.graph, link.path);
    return from === undefined
      ? []
      : judge(project, from, { link, end: passLinks(texts, resolveFolder(parentFolder(link.path), link.text)).end });
  });
}

/** The text of each link, by its path. */
export type LinkTexts = ReadonlyMap<string, string>;

export function linkTexts(links: readonly SymbolicLink[]): LinkTexts {
  return new Map(links.map(({ path, text }) => [path, text]));
}

const MOST_LINKS = 40;

/** Returns the links on a path, in order, and its final target; `undefined` if that is outside the project. */
export function passLinks(
  texts: LinkTexts,
  path: RepoFolder | undefined,
): { readonly passed: readonly RepoPath[]; readonly end: RepoFolder | undefined } {
  const passed: RepoPath[] = [];
  let end = path;
  while (end !== undefined && passed.length < MOST_LINKS) {
    const [at, text] = findLink(texts, end) ?? [];
    if (at === undefined || text === undefined) break;
    passed.push(at as RepoPath);
    end = resolveFolder(parentFolder(at), `${text}/${end.slice(at.length)}`);
  }
  return { passed, end };
}

/** Returns the first link on a path. */
function findLink(texts: LinkTexts, path: string): readonly [at: string, text: string] | undefined {
  for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
    const at = end === -1 ? path : path.slice(0, end);
    const text = texts.get(at);
    if (text !== undefined) return [at, text];
    if (end === -1) return undefined;
  }
}

function judge(
  project: CheckedProject,
  from: number,
  { link, end }: { readonly link: SymbolicLink; readonly end: RepoFolder | undefined },
): readonly EscapingSymlink[] {
  const workspace = nameAt(project, from);
  const found = { kind: 'escaping-symlink', workspace, file: link.path } as const;
  if (end === undefined) return [{ ...found, severity: 'note', reason: 'outside', path: undefined, target: undefined }];
  const destination = findDestination(project, from, { base: '', path: end });
  if (destination.kind === 'inside' || destination.kind === 'out-of-project') return [];
  const target = destination.kind === 'several' ? undefined : destination.target;
  if (target !== undefined && carriesFiles(project, from, target)) return [];
  if (areCovered(project, end, workspace)) return [];
  const reason = reasonOf(project, from, { end, target });
  const targetName = target === undefined ? undefined : nameAt(project, target);
  return [{ ...found, severity: reason === 'unseen' ? 'hole' : 'note', reason, path: end, target: targetName }];
}

function reasonOf(
  project: CheckedProject,
  from: number,
  { end, target }: { readonly end: RepoFolder; readonly target: number | undefined },
): ReadingReason {
  if (isDocument(end)) return 'document';
  return target !== undefined && isReached(project, from, target) ? 'reached' : 'unseen';
}
