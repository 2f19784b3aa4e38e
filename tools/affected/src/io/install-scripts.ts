import { posix } from 'node:path';
import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { goesThroughOwnFolder } from '../observe/early-names.js';
import { isProgramWithFile } from '../observe/unread-causes.js';
import { changesFolder, withoutComments } from '../root-uses/subject.js';
import { readTexts } from './mentions.js';
import { findInstallManifests, INSTALLS, type SearchedTree } from './named-files.js';

/** The most files that an installation is followed through. */
const MOST = 20;

/** A text that an installation may run. Names of files in it are relative to the folder. */
interface RunText {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns a manifest with a script that may use one of some packages while dependencies are installed. Follows its scripts, and the files that
 * they name. `packages`: the names with the binaries. Throws `GIT_FAILED`.
 */
export async function findInstallUser(
  packages: ReadonlyMap<string, readonly string[]>,
  tree: SearchedTree & { readonly tracked: readonly string[] },
): Promise<string | undefined> {
  const names = new Set([...packages].flat(2));
  for (const manifest of await findInstallManifests(tree)) if (await mayUse(manifest, names, tree)) return manifest;
  return undefined;
}

async function mayUse(
  manifest: string,
  names: ReadonlySet<string>,
  tree: SearchedTree & { readonly tracked: readonly string[] },
): Promise<boolean> {
  const tracked = new Set(tree.tracked);
  const [own = '', root = ''] = await readTexts(tree, [manifest, 'package.json']);
  const scripts = new Map([...scriptsIn(root), ...scriptsIn(own)]);
  const seen = new Set<string>();
  const open: RunText[] = INSTALLS.flatMap((name) => [{ path: manifest, text: scriptsIn(own).get(name) ?? '' }]);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const text = withoutComments(one.text, one.path as RepoPath);
    const words = wordsIn(text);
    // What it runs then is not followed.
    if (changesFolder(text) || words.some(isProgramWithFile)) return true;
    if (words.some((word) => names.has(word))) return true;
    const called = words.filter((word) => scripts.has(word) && !seen.has(word));
    const files = words.flatMap((word) => fileOf(word, one.path, tracked)).filter((path) => !seen.has(path));
    for (const name of [...called, ...files]) seen.add(name);
    const texts = await readTexts(tree, files);
    if (seen.size > MOST || files.some((path, at) => goesThroughOwnFolder(texts[at] ?? '', path as RepoPath))) return true;
    open.push(...called.map((name) => ({ path: manifest, text: scripts.get(name) ?? '' })));
    open.push(...files.map((path, at) => ({ path, text: texts[at] ?? '' })));
  }
  return false;
}

function scriptsIn(text: string): ReadonlyMap<string, string> {
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts = isPlainObject(manifest) ? manifest['scripts'] : undefined;
    return new Map(Object.entries(isPlainObject(scripts) ? scripts : {}).map(([name, script]) => [name, String(script)]));
  } catch {
    return new Map();
  }
}

/** Returns the words of a text, each also as the package, or the program, that a path leads to. */
function wordsIn(text: string): readonly string[] {
  const words = text.split(/[^\w@./:-]+/).flatMap((word) => {
    const parts = word.split('/');
    return [word, parts[0] ?? '', parts.slice(0, 2).join('/'), parts.at(-1) ?? ''];
  });
  return [...new Set(words)].filter((word) => word !== '');
}

const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.json', '.sh', '/index.js', '/index.ts'];

/** Returns the tracked files that a word may name, from the folder of the text or from the root. */
function fileOf(word: string, from: string, tracked: ReadonlySet<string>): readonly string[] {
  const places = [posix.join(posix.dirname(from), word), posix.join(word)];
  const stems = places.flatMap((place) => [place, place.replace(/\.[cm]?js$/, '')]);
  return [...new Set(stems.flatMap((stem) => ENDINGS.map((ending) => `${stem}${ending}`)))].filter((path) => tracked.has(path));
}
