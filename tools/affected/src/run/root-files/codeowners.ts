import { findReaders } from './readers.js';
import type { RootFile, Scene, Verdict } from './scene.js';

/**
 * Whom a `codeowners.ts` counts for: the root, whose scripts read it. Only where whatever leads to it has the word in its own name, so that a
 * file that is read through another one would be found too.
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

/** A workflow that calls a script by its name reads no more than the script does. */
function without(text: string, scripts: ReadonlySet<string>): string {
  return [...scripts].reduce((rest, script) => rest.replaceAll(script, ''), text);
}
