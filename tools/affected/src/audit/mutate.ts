import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile } from '../check/file-kinds.js';
import type { Draw } from './draw.js';

/** Another text for one place of a line; both without the rest of it. */
interface Place {
  readonly at: number;
  readonly old: string;
  readonly now: string;
}

/** A line of a file that was changed. */
interface LineChange {
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Attempts to find a line of a file that can be changed. */
const ATTEMPTS = 40;

/** Draws one place of one line to change. `undefined`: nothing was found to change. */
export function mutateText(path: string, text: string, draw: Draw): LineChange | undefined {
  const lines = text.split('\n');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const at = draw.below(lines.length);
    const before = lines[at] ?? '';
    const place = draw.pick(placesIn(path, before));
    if (place === undefined) continue;
    const after = before.slice(0, place.at) + place.now + before.slice(place.at + place.old.length);
    return { line: at + 1, before, after };
  }
  return undefined;
}

const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;

function placesIn(path: string, line: string): readonly Place[] {
  if (COMMENT.test(line)) return [];
  const isCode = isCodeFile(path as RepoPath);
  const changes = isCode ? CODE : path.endsWith('.json') ? JSON_VALUES : TEXT;
  return changes.flatMap(([pattern, change]) =>
    [...line.matchAll(pattern)].map((match) => ({ at: match.index, old: match[0], now: change(match[0]) })),
  );
}

type Change = readonly [pattern: RegExp, change: (old: string) => string];

const NUMBER: Change = [/\b\d+\b/g, (old) => String(Number(old) + 1)];
const TRUTH: Change = [/\b(?:true|false)\b/g, (old) => (old === 'true' ? 'false' : 'true')];

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

const CODE: readonly Change[] = [
  NUMBER,
  TRUTH,
  [/===|!==|&&|\|\|| (?:<=?|>=?|[-+*/]) /g, (old) => SWAPS[old] ?? old],
  [/\breturn (?=[^\s;])/g, () => 'return void '],
  // Not the name of a module: a program that does not start says little.
  [/(?<!\b(?:from|import|require\()\s*)(['"])[\w $,.:-]+\1/g, (old) => `${old.slice(0, -1)}~${old.slice(-1)}`],
];
const JSON_VALUES: readonly Change[] = [NUMBER, TRUTH, [/"[^"\\]*"(?=\s*,?\s*$)/g, (old) => `${old.slice(0, -1)}~"`]];
const TEXT: readonly Change[] = [NUMBER, TRUTH, [/[A-Za-z]{2,}/g, (old) => `${old}~`]];
