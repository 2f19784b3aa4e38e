import { findReaders } from './readers.js';
import type { RootFile, Scene, Verdict } from './scene.js';

/**
 * Judges a `codeowners.ts`. It affects the root, whose scripts read it, but only if everything that leads to it has the word in its own
 * name. Only then would a file be found that is read through another one.
 */
export async function judgeCodeowners(scene: Scene, { path }: RootFile): Promise<Verdict> {
  const scripts = new Set(scene.rootManifests.flatMap(({ raw }) => Object.keys(raw['scripts'] ?? {})).filter(isNamedSo));
  const isMention = (text: string, file: string): boolean => isNamedSo(file === 'package.json' ? text : without(text, scripts));
  const verdict = await findReaders(scene, {
    file: path,
    key: path,
    texts: [WORD],
    isMention,
    scripts: { isHarmless: isNamedSo, seesBuilds: async () => true },
    isHarmless: (file) => isNamedSo(file) || (/^tsconfig[^/]*\.json$/.test(file) && scene.kind !== 'build'),
  });
  if (verdict === 'unknown' || scene.root === undefined) return 'unknown';
  return [{ place: scene.root, key: path }, ...verdict];
}

const WORD = 'codeowners';

function isNamedSo(text: string): boolean {
  return text.includes(WORD);
}

/** Removes script names: a workflow that calls a script by name reads no more than the script. */
function without(text: string, scripts: ReadonlySet<string>): string {
  return [...scripts].reduce((rest, script) => rest.replaceAll(script, ''), text);
}
