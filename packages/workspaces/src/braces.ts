/**
 * Expands the braces of a pattern, in the order of the choices: `{a,b/{c,d}}`, `p{1..3}`, `{a..e..2}`. Braces stay if they are escaped,
 * unbalanced, after `$`, inside `[…]` or without a choice. Never empty. Source: `micromatch.braces(pattern, { expand: true, keepEscaping:
 * true })`, through which fast-glob sends every pattern.
 */
export function expandBraces(pattern: string): readonly string[] {
  const found = findBraces(pattern, 0);
  if (found === undefined) return [pattern];
  const before = pattern.slice(0, found.open);
  const after = expandBraces(pattern.slice(found.close + 1));
  const choices =
    found.parts.length > 1 ? found.parts.flatMap(expandBraces) : (expandRange(found.parts[0] ?? '') ?? withBraces(found.parts[0] ?? ''));
  return choices.flatMap((choice) => after.map((rest) => before + choice + rest));
}

interface Braces {
  readonly open: number;
  readonly close: number;
  /** The texts between the commas of this pair; one part without a comma. */
  readonly parts: readonly string[];
}

/** Returns the first closed pair of braces. */
function findBraces(pattern: string, from: number): Braces | undefined {
  for (let at = from; at < pattern.length; at = skip(pattern, at)) {
    if (pattern[at] !== '{' || pattern[at - 1] === '$') continue;
    const found = splitBraces(pattern, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function splitBraces(pattern: string, open: number): Braces | undefined {
  const parts: string[] = [];
  let start = open + 1;
  let depth = 0;
  for (let at = open + 1; at < pattern.length; at = skip(pattern, at)) {
    const sign = pattern[at];
    if (sign === '}' && depth === 0) return { open, close: at, parts: [...parts, pattern.slice(start, at)] };
    if (sign === '{' || sign === '(') depth += 1;
    if (sign === '}' || sign === ')') depth -= 1;
    if (sign !== ',' || depth > 0) continue;
    parts.push(pattern.slice(start, at));
    start = at + 1;
  }
  return undefined;
}

/** Returns the offset after the character at `at`, its escape or its `[…]`. */
function skip(pattern: string, at: number): number {
  if (pattern[at] === '\\') return at + 2;
  const close = pattern[at] === '[' ? pattern.indexOf(']', at + 1) : -1;
  return close === -1 ? at + 1 : close + 1;
}

function withBraces(content: string): readonly string[] {
  return expandBraces(content).map((one) => `{${one}}`);
}

function expandRange(content: string): readonly string[] | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(content);
  if (numbers !== null) {
    const [, first = '', last = '', step] = numbers;
    const width = [first, last].some((text) => /^-?0\d/.test(text)) ? Math.max(first.length, last.length) : 0;
    return countUp(Number(first), Number(last), Number(step ?? 1)).map((value) => padded(value, width));
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/.exec(content);
  if (letters === null) return undefined;
  const [, first = '', last = '', step] = letters;
  return countUp(first.charCodeAt(0), last.charCodeAt(0), Number(step ?? 1)).map((code) => String.fromCharCode(code));
}

function countUp(first: number, last: number, step: number): readonly number[] {
  const by = Math.max(Math.abs(step), 1);
  const count = Math.floor(Math.abs(last - first) / by) + 1;
  return Array.from({ length: count }, (_, index) => (last < first ? first - index * by : first + index * by));
}

function padded(value: number, width: number): string {
  const sign = value < 0 ? '-' : '';
  return sign + String(Math.abs(value)).padStart(width - sign.length, '0');
}
