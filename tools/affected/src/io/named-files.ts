import { posix } from 'node:path';
import { findFilesWith } from '@tributary/git/grep';
import { isPlainObject } from '@tributary/model/plain-object';
import { namesTestFolder } from '../check/file-kinds.js';
import {
  type EarlyName,
  folderNameOf,
  foldersOf,
  goesThroughOwnFolder,
  isForRunners,
  isForTests,
  mayName,
  namesOf,
  OWN_FOLDER_WORDS,
  testNameOf,
} from '../observe/early-names.js';
import { mayRun } from '../observe/unread-causes.js';
import { isNeverRun, readTexts, type Tree } from './mentions.js';

/** The most files searched individually. */
const MOST = 20;
/** The most files for tests through which a name is followed. */
const MOST_FOLLOWED = 200;

export interface SearchedTree extends Tree {
  /** Returns a path relative to its workspace. */
  readonly below: (path: string) => string;
}

interface NameScene extends SearchedTree {
  /** The names of the packages in the lockfile. */
  readonly locked: ReadonlySet<string>;
  /** Whether Yarn 1 wrote the lockfile. */
  readonly isClassic: boolean;
}

/**
 * Returns a sentence about a file outside workspaces that something may run or read before the tests, which is not observed. This may be a
 * CI job, a script, a manifest, or workspace code that a job runs. `undefined` if there is none. Throws `GIT_FAILED`.
 */
export async function findNamed(files: readonly string[], tree: SearchedTree): Promise<string | undefined> {
  if (files.length > MOST) return `${files.length} files outside workspaces changed`;
  const [first] = files;
  if (first === undefined) return undefined;
  const scene = await withLock(tree);
  const [installs] = await findInstalling(scene);
  if (installs !== undefined) return `${first} changed, which a script of ${installs} may read while dependencies are installed`;
  return nameNamer(files, scene);
}

/** Does the same for names alone, without scripts of an installation. Throws `GIT_FAILED`. */
export async function findNamer(files: readonly string[], tree: SearchedTree): Promise<string | undefined> {
  return nameNamer(files, await withLock(tree));
}

async function withLock(tree: SearchedTree): Promise<NameScene> {
  const [lock = ''] = await readTexts(tree, ['yarn.lock']);
  const names = Array.from(lock.matchAll(/^"?(@?[^@\s"]+)@/gm), ([, name = '']) => name);
  return { ...tree, locked: new Set(names), isClassic: !lock.includes('\n__metadata:') };
}

async function nameNamer(files: readonly string[], scene: NameScene): Promise<string | undefined> {
  for (const file of files) {
    const walkers = await findWalkers(file, scene);
    const isWhole = (folder: string): boolean => walkers.some((path) => path.startsWith(`${folder}/`));
    const by = await findEarlyUser([namesOf(file, isWhole)], scene);
    if (by !== undefined) return `${file} changed, which ${by} may run or read before the tests`;
  }
  return undefined;
}

/** Returns other files of its folders that may go through the folder in which they are, so that they use it without its name. */
async function findWalkers(file: string, tree: SearchedTree): Promise<readonly string[]> {
  const [top] = foldersOf(file);
  if (top === undefined) return [];
  const searched = { words: OWN_FOLDER_WORDS, project: tree.place.project, within: [`${top}/**`] };
  const { files, unreadable } = await findFilesWith(tree.git, tree.headTree, searched);
  const able = files.filter((path) => path !== file && mayRun(path) && !isNeverRun(path));
  const texts = await readTexts(tree, able);
  return [...able.filter((path, at) => goesThroughOwnFolder(texts[at] ?? '', path)), ...unreadable];
}

/**
 * Returns a file that may use one of these before the tests. Files for tests do so only if something else names them, so their names are
 * followed.
 */
async function findEarlyUser(names: readonly EarlyName[], scene: NameScene): Promise<string | undefined> {
  const seen = new Set(names.map(({ path }) => path));
  for (let open = names; open.length > 0; ) {
    const users = (await findUsers(open, scene)).filter((path) => !seen.has(path));
    for (const path of users) seen.add(path);
    const early = users.find((path) => !isForTests(scene.below(path)));
    if (early !== undefined || seen.size > MOST_FOLLOWED) return early ?? users[0];
    open = users.map(testNameOf);
  }
  return undefined;
}

async function findUsers(names: readonly EarlyName[], { locked, ...tree }: NameScene): Promise<readonly string[]> {
  const words = [...new Set(names.flatMap((name) => name.words))];
  const { files, unreadable } = await findFilesWith(tree.git, tree.headTree, { words, project: tree.place.project });
  const able = files.filter((path) => mayRun(path) && !isNeverRun(path));
  const texts = await readTexts(tree, able);
  const isPackage = (name: string): boolean => locked.has(name);
  // The scripts of manifests start runners.
  const isRun = (path: string, by: string): boolean => isForRunners(path) && posix.basename(by) === 'package.json';
  const found = able.filter((by, at) =>
    names.some((name) => name.path !== by && !isRun(name.path, by) && mayName(texts[at] ?? '', by, name, isPackage)),
  );
  return [...found, ...unreadable.filter((path) => mayRun(path) && !isNeverRun(path))];
}

export const INSTALLS = ['preinstall', 'install', 'postinstall'];
/** Yarn 2 and later do not run it. */
const CLASSIC_INSTALLS = [...INSTALLS, 'prepare'];
/** Git hooks concern no test. */
const HARMLESS = /^(?:is-ci \|\| )?husky(?: install)?$/;

/** Returns the manifests of the project with a script that may run while dependencies are installed. Throws `GIT_FAILED`. */
export async function findInstallManifests(tree: SearchedTree): Promise<readonly string[]> {
  return findInstalling(await withLock(tree));
}

async function findInstalling(scene: NameScene): Promise<readonly string[]> {
  const { git, headTree, place, isClassic } = scene;
  const scripts = isClassic ? CLASSIC_INSTALLS : INSTALLS;
  const words = scripts.map((name) => `"${name}"`);
  const { files, unreadable } = await findFilesWith(git, headTree, {
    words,
    project: place.project,
    within: ['package.json', '**/package.json'],
  });
  const texts = await readTexts(scene, files);
  const installing = files.filter((_, at) => hasScript(texts[at] ?? '', scripts));
  const names = installing.map((path) => fixtureNameOf(path, scene.below(path)));
  const early = [...unreadable, ...installing.filter((_, at) => names[at] === undefined)];
  if (early.length > 0) return early;
  const user = await findEarlyUser(
    names.filter((name) => name !== undefined),
    scene,
  );
  return user === undefined ? [] : installing;
}

/**
 * Returns the name of the folder below test folders that has a manifest for tests: nothing but tests installs it if nothing else names it.
 * `undefined` for a manifest of another kind, which may be installed.
 */
function fixtureNameOf(path: string, below: string): EarlyName | undefined {
  const folders = below.split('/').slice(0, -1);
  const isTest = (folder: string): boolean => namesTestFolder(folder) || /^_*(test-?)?fixtures?_*$/i.test(folder);
  const start = folders.findIndex(isTest);
  const own = folders.slice(start).find((folder) => !isTest(folder) && folder !== 'node_modules');
  return start < 0 || own === undefined || below.startsWith('.') ? undefined : folderNameOf(path, own);
}

function hasScript(text: string, names: readonly string[]): boolean {
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts = isPlainObject(manifest) ? manifest['scripts'] : undefined;
    return isPlainObject(scripts) && names.some((name) => name in scripts && !HARMLESS.test(String(scripts[name])));
  } catch {
    // It may be test material.
    return true;
  }
}
