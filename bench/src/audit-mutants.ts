import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCountedTest } from '@tributary/affected/plan/runner';
import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isFixture } from '@tributary/references/file-kinds';
import type { Dice } from '@tributary/test-repo/dice';

/** One changed line of a source file. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [pattern: RegExp, change: (old: string) => string];

const SWAPS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  ' < ': ' >= ',
  ' > ': ' <= ',
  ' <= ': ' > ',
  ' >= ': ' < ',
  ' + ': ' - ',
  ' - ': ' + ',
  ' * ': ' / ',
  ' / ': ' * ',
};
const CHANGES: readonly Change[] = [
  [/\b\d+\b/g, (old) => String(Number(old) + 1)],
  [/\b(?:true|false)\b/g, (old) => (old === 'true' ? 'false' : 'true')],
  [/===|!==|&&|\|\|| (?:<=?|>=?|[-+*/]) /g, (old) => SWAPS[old] ?? old],
  [/\breturn (?=[^\s;])/g, () => 'return void '],
  // Not the name of a module: a program that does not start says little.
  [/(?<!\b(?:from|import|require\()\s*)(['"])[\w $,.:-]+\1/g, (old) => `${old.slice(0, -1)}~${old.slice(-1)}`],
];
const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;
/** Larger files are generated. In characters. */
const LARGEST = 200_000;
const ATTEMPTS = 500;

/** Returns the tracked source files of workspaces below `folders`, without tests and their material. Ordered. */
export function sourceFiles(tracked: readonly string[], folders: readonly string[]): readonly string[] {
  return tracked
    .filter((path) => {
      const folder = folders.filter((one) => path.startsWith(`${one}/`)).sort((one, other) => other.length - one.length)[0];
      const isTest = folder === undefined || isCountedTest(path.slice(folder.length + 1));
      return !isTest && isCodeFile(path as RepoPath) && !isFixture(path) && !/(^|\/)\./.test(path);
    })
    .sort();
}

/** Draws a place that was not changed before. `undefined`: none was found. */
export function drawMutant(root: string, files: readonly string[], { dice, seen }: { dice: Dice; seen: Set<string> }): Mutant | undefined {
  for (let attempt = 0; attempt < ATTEMPTS && files.length > 0; attempt++) {
    const file = files[dice.below(files.length)] ?? '';
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.length > LARGEST ? [] : text.split('\n');
    const at = dice.below(Math.max(lines.length, 1));
    const before = lines[at] ?? '';
    const places = COMMENT.test(before)
      ? []
      : CHANGES.flatMap(([pattern, change]) =>
          [...before.matchAll(pattern)].map(({ 0: old, index }) => ({ index, old, now: change(old) })),
        );
    const place = places[dice.below(Math.max(places.length, 1))];
    if (place === undefined || seen.has(`${file}:${at}`)) continue;
    seen.add(`${file}:${at}`);
    const after = before.slice(0, place.index) + place.now + before.slice(place.index + place.old.length);
    return { file, line: at + 1, before, after };
  }
  return undefined;
}
