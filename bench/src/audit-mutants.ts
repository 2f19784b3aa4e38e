import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCountedTest } from '@tributary/affected/plan/runner';
import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isFixture } from '@tributary/references/file-kinds';
import { roleOf } from '@tributary/references/file-roles';
import type { Dice } from '@tributary/test-repo/dice';

/** One changed line of a file. */
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
  [/===|!==|&&|\|\||(?<!\b(?:im|ex)port) (?:<=?|>=?|[-+*/]) /g, (old) => SWAPS[old] ?? old],
  [/\breturn (?=[^\s;])/g, () => 'return void '],
  // Not the name of a module: a program that does not start says little.
  [/(?<!\b(?:from|import|require\()\s*)(['"])[\w $,.:-]+\1/g, (old) => `${old.slice(0, -1)}~${old.slice(-1)}`],
];
/** Of a manifest, its version; of prose, a word. */
const VERSION: Change = [/(?<=^\s*"version": ".*)\d+(?=")/g, (old) => String(Number(old) + 1)];
const WORD: Change = [/\b[a-z]{4,}\b/g, (old) => `${old}x`];
const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;
/** A declaration changes no program. */
const DECLARATION = /\.d\.[cm]?ts$/;
/** Larger files are generated. In characters. */
const LARGEST = 200_000;
const ATTEMPTS = 500;

/** Returns the tracked source files of workspaces below `folders`, without tests and their material. Ordered. */
export function sourceFiles(tracked: readonly string[], folders: readonly string[]): readonly string[] {
  return tracked
    .filter((path) => {
      const folder = folderOf(path, folders);
      const isTest = folder === undefined || isCountedTest(path.slice(folder.length + 1));
      return !isTest && isCodeFile(path as RepoPath) && !isFixture(path) && !DECLARATION.test(path) && !/(^|\/)\./.test(path);
    })
    .sort();
}

/**
 * Returns the documents, manifests, helpers of tests and such in workspaces below `folders` that some code names, so that a test may fail if
 * they change. Ordered.
 */
export function namedFiles(root: string, tracked: readonly string[], folders: readonly string[]): readonly string[] {
  const code = tracked.filter((path) => isCodeFile(path as RepoPath));
  const names = new Set(code.flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(QUOTED)].map(([, name]) => name ?? '')));
  return tracked
    .filter((path) => {
      const folder = folderOf(path, folders);
      const below = path.slice((folder?.length ?? 0) + 1);
      const name = below.slice(below.lastIndexOf('/') + 1);
      const isRunner = isCountedTest(below) || /\.(?:snap|png|jpe?g|gif|ico|webp|avif)$/.test(name);
      return (
        folder !== undefined && roleOf(below) !== 'source' && !isRunner && [name, name.replace(/\.\w+$/, '')].some((one) => names.has(one))
      );
    })
    .sort();
}

/** The last part of a path in a string. */
const QUOTED = /['"`/]([\w.-]{1,100})['"`]/g;

function folderOf(path: string, folders: readonly string[]): string | undefined {
  return folders.filter((one) => path.startsWith(`${one}/`)).sort((one, other) => other.length - one.length)[0];
}

function changesFor(file: string): readonly Change[] {
  if (file.endsWith('/package.json')) return [VERSION];
  return isCodeFile(file as RepoPath) || file.endsWith('.json') ? CHANGES : [WORD];
}

/** Draws a place that was not changed before. `undefined`: none was found. */
export function drawMutant(root: string, files: readonly string[], { dice, seen }: { dice: Dice; seen: Set<string> }): Mutant | undefined {
  for (let attempt = 0; attempt < ATTEMPTS && files.length > 0; attempt++) {
    const file = files[dice.below(files.length)] ?? '';
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.length > LARGEST ? [] : text.split('\n');
    const at = dice.below(Math.max(lines.length, 1));
    const before = lines[at] ?? '';
    const places =
      isCodeFile(file as RepoPath) && COMMENT.test(before)
        ? []
        : changesFor(file).flatMap(([pattern, change]) =>
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
