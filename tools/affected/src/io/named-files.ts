import { findFilesWith } from '@tributary/git/grep';
import { isPlainObject } from '@tributary/model/plain-object';
import { mayRun, wordsFor } from '../observe/unread-causes.js';
import { isNeverRun, readTexts, type Tree } from './mentions.js';

/** The most files searched individually. */
const MOST = 20;

/**
 * Returns a sentence about a file outside workspaces that something may run or read before the tests, which is not observed. This may be a
 * CI job, a script, a manifest, or workspace code that a job runs. `undefined` if there is none. Throws `GIT_FAILED`.
 */
export async function findNamed(files: readonly string[], { git, headTree, place }: Tree): Promise<string | undefined> {
  if (files.length > MOST) return `${files.length} files outside workspaces changed`;
  const [first] = files;
  const installs = first === undefined ? undefined : await findInstallScript({ git, headTree, place });
  if (installs !== undefined) return `${first} changed, which a script of ${installs} may read while dependencies are installed`;
  for (const file of files) {
    const found = await findFilesWith(git, headTree, { words: wordsFor(file), project: place.project });
    const by = [...found.files, ...found.unreadable].find((path) => path !== file && mayRun(path) && !isNeverRun(path));
    if (by !== undefined) return `${file} changed, which ${by} may run or read before the tests`;
  }
  return undefined;
}

/** Yarn 1 also runs `prepare`. */
const INSTALLS = ['preinstall', 'install', 'postinstall', 'prepare'];
/** Git hooks concern no test. */
const HARMLESS = /^(?:is-ci \|\| )?husky(?: install)?$/;

/** Returns a manifest of the project with a script that runs while dependencies are installed. */
async function findInstallScript({ git, headTree, place }: Tree): Promise<string | undefined> {
  const words = INSTALLS.map((name) => `"${name}"`);
  const found = await findFilesWith(git, headTree, { words, project: place.project, within: ['package.json', '**/package.json'] });
  const texts = await readTexts({ git, headTree, place }, found.files);
  return found.unreadable[0] ?? found.files.find((_, at) => hasInstallScript(texts[at] ?? ''));
}

function hasInstallScript(text: string): boolean {
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts = isPlainObject(manifest) ? manifest['scripts'] : undefined;
    return isPlainObject(scripts) && INSTALLS.some((name) => name in scripts && !HARMLESS.test(String(scripts[name])));
  } catch {
    // It may be test material.
    return true;
  }
}
