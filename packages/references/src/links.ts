import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';

/** The text of each symbolic link, as git stores it, by its path. */
export type LinkTexts = ReadonlyMap<string, string>;

const MOST_LINKS = 40;

/** Returns the links on a path, in order, and its final target; `undefined` if that is outside the project. Never looks at the disk. */
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
