import type { RepoPath } from '@tributary/model/paths';
import {
  type CallStyle,
  diffMakefiles,
  findMakeCalls,
  isReached,
  type MakeCalls,
  type MakefileDiff,
  parseMakefile,
  targetNames,
} from '@tributary/workspaces/root-files/makefile';
import { findReaders, LIST_OF_FILES } from './readers.js';
import type { RootFile, Scene, Verdict } from './scene.js';
import { harmlessScripts, otherTexts, scriptsOf } from './scripts.js';

/**
 * Judges a Makefile. It affects only the root if nothing reads the file as text, and no changed part takes part in a target that
 * workspaces, scripts or workflows request.
 */
export async function judgeMakefile(scene: Scene, { path, base, head }: RootFile): Promise<Verdict> {
  const sides = [parseMakefile(base ?? 'include'), parseMakefile(head ?? 'include')].filter((side) => side !== undefined);
  const [before, after] = sides;
  const diff = before === undefined || after === undefined ? undefined : diffMakefiles(before, after);
  if (diff === undefined || scene.root === undefined) return 'unknown';
  const [key] = [...diff.targets, ...diff.variables];
  if (key === undefined) return [];
  const names = targetNames(sides);
  if (await isNamedElsewhere(scene, path, diff)) return 'unknown';
  const readers = await findReaders(scene, {
    file: path,
    key,
    texts: [path],
    isMention: (text) => new RegExp(`(?<![\\w.-])${path}(?![\\w-]|\\.\\w)`).test(text),
    scripts: { seesBuilds: async () => true },
  });
  if (readers === 'unknown') return readers;
  const calls = await findCalls(scene, path, names);
  if (calls === undefined || isReached(diff, sides, calls)) return 'unknown';
  return [{ place: scene.root, key }, ...readers];
}

/** Returns the make calls of every file that may lead to a task of this kind. */
async function findCalls(scene: Scene, makefile: RepoPath, names: ReadonlySet<string>): Promise<readonly MakeCalls[] | undefined> {
  const found = await scene.lines(['make', 'gmake', 'nmake', 'MAKE']);
  const harmless = await harmlessScripts(scene);
  if (found === undefined || harmless === undefined) return undefined;
  const isRead = (path: RepoPath): boolean => path !== makefile && !isUnreadOutside(scene, path);
  return found
    .filter(({ path }) => isRead(path))
    .flatMap(({ path, text }) => partsOf(scene, path, text, harmless).map((part) => findMakeCalls(part, names, styleOf(path))));
}

function isUnreadOutside(scene: Scene, path: RepoPath): boolean {
  return scene.owners(path).length === 0 && (scene.isUnread(path) || LIST_OF_FILES.test(path));
}

/**
 * Returns the relevant parts of a file: for the root's manifest the scripts that lead to tasks, for any other file all. Every workflow may
 * run tests with the output of a target.
 */
function partsOf(scene: Scene, path: RepoPath, text: string, harmless: ReadonlySet<string>): readonly string[] {
  if (scene.owners(path).length > 0) return [text];
  if (path !== 'package.json') return [text];
  const scripts = scene.rootManifests.flatMap(scriptsOf).filter(([name]) => !harmless.has(name));
  return [...scripts.map(([, script]) => script), ...scene.rootManifests.flatMap((manifest) => otherTexts(scene, manifest))];
}

function styleOf(path: string): CallStyle {
  return CODE.test(path) ? 'code' : 'commands';
}

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|less|html?|txt|mdx|snap|py|rb|rs|go|java|kt|c|h|cc|cpp)$/;

/** Tells whether other files name a changed variable: environment variables are make variables, and vice versa. */
async function isNamedElsewhere(scene: Scene, makefile: RepoPath, { variables }: MakefileDiff): Promise<boolean> {
  if (variables.length === 0) return false;
  const found = await scene.lines(variables);
  return found === undefined || found.some(({ path }) => path !== makefile && !isUnreadOutside(scene, path));
}
