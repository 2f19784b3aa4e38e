import braces from 'braces';
import picomatch, { type PicomatchOptions } from 'picomatch';

export type PathTest = (path: string) => boolean;

/** The most stars in one name of a path: with more, an expression tries every way to divide the name among them. */
const MOST_STARS = 3;
/** The most patterns that the braces of a pattern may stand for; `braces` has the same limit for ranges. */
const MOST_CHOICES = 1000;
/** In characters. No path is longer. */
const LONGEST = 4096;

/**
 * Compiles a glob that a repository has written, with picomatch's rules. The time of a test is bounded, whatever the glob and the path:
 * picomatch compares single names, and folders are divided among `**` here. Returns `undefined` for a glob beyond the limits: too many stars
 * in a name or choices in braces, or repeated groups.
 */
export function compileGlob(glob: string, options: PicomatchOptions = {}): PathTest | undefined {
  const [, negation = '', plain = ''] = options.nonegate === true ? ['', '', glob] : (/^((?:!(?!\())*)(.*)$/s.exec(glob) ?? []);
  const patterns = expandSlashes(plain.replace(/^(?:\.\/)+/, ''), options);
  const tests = patterns?.map((pattern) => testOf(pattern, { ...options, nonegate: true }));
  if (tests === undefined || tests.some((test) => test === undefined)) return undefined;
  const isNegated = negation.length % 2 === 1;
  return (path) => tests.some((test) => test?.(path)) !== isNegated;
}

/** Like `compileGlob`, for paths that any of several globs matches. `undefined` if one of them is beyond the limits. */
export function compileGlobs(globs: readonly string[], options: PicomatchOptions = {}): PathTest | undefined {
  const tests = globs.map((glob) => compileGlob(glob, options));
  return tests.includes(undefined) ? undefined : (path) => tests.some((test) => test?.(path));
}

/** Returns the patterns that the braces of a glob stand for; the glob itself if these are too many. */
export function expandBraces(glob: string): readonly string[] {
  return !glob.includes('{') || isOpenEnded(glob) ? [glob] : braces(glob, { expand: true, keepEscaping: true });
}

/** Returns the patterns that a brace with a slash stands for, such as `{apps/*,tools}/src`. Braces within a name are left to picomatch. */
function expandSlashes(pattern: string, { nobrace }: PicomatchOptions): readonly string[] | undefined {
  if (nobrace === true || !pattern.includes('{')) return pattern.length > LONGEST ? undefined : [pattern];
  if (isOpenEnded(pattern)) return undefined;
  return /\{[^}]*\//.test(pattern) ? braces(pattern, { expand: true, keepEscaping: true }) : [pattern];
}

/** Whether a pattern is too long, or its braces stand for too many patterns to list them. */
export function isOpenEnded(pattern: string): boolean {
  return pattern.length > LONGEST || choicesOf(pattern) > MOST_CHOICES;
}

/** Returns at least as many as the braces and groups of a pattern stand for; a group may be left out. */
function choicesOf(pattern: string): number {
  const open: number[] = [];
  let all = 1;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === '{' || sign === '(') open.push(sign === '{' ? 1 : 2);
    else if ((sign === ',' || sign === '|') && open.length > 0) open.push((open.pop() ?? 0) + 1);
    else if (sign === '.' && pattern[at + 1] === '.' && open.length > 0) open.push((open.pop() ?? 0) * lengthOfRange(pattern, at));
    else if (sign === '}' || sign === ')') all *= open.pop() ?? 1;
  }
  return all;
}

function lengthOfRange(pattern: string, at: number): number {
  const [, from, to] = /(-?\d+)\.\.(-?\d+)/.exec(pattern.slice(Math.max(at - 20, 0), at + 22)) ?? [];
  // Between letters there are few.
  return from === undefined ? 60 : Math.abs(Number(to) - Number(from)) + 1;
}

/** A part of a pattern: any folders, or a test of one name. */
type Part = '**' | PathTest;

function testOf(pattern: string, options: PicomatchOptions): PathTest | undefined {
  if (options.bash === true || isOfWholePath(pattern)) return isBounded(pattern) ? expressionTest(pattern, options) : undefined;
  const names = pattern.split('/').filter((name, at, all) => name !== '**' || all[at - 1] !== '**');
  if (!names.every((name) => name === '**' || isBounded(name))) return undefined;
  const parts = names.map((name) => (name === '**' ? name : testOfName(name, options)));
  // As in picomatch, `docs/**` matches `docs`, and `*/**` no file of the root.
  if (names.at(-1) === '**' && names.at(-2)?.endsWith('*')) parts.push((name) => isPassed(name, options.dot === true));
  // In picomatch, a slash may follow a last star or class.
  const endsOpen = /(?<!\\)[*\]]$/.test(pattern) && options.strictSlashes !== true;
  return (path) => {
    const all = path.split('/');
    if (matches(parts, all, options.dot === true)) return true;
    return endsOpen && all.length > 1 && all.at(-1) === '' && matches(parts, all.slice(0, -1), options.dot === true);
  };
}

/**
 * What a negated group matches depends on what follows it; a slash may be in a group or class; `**` in a name may be for folders; a bar outside
 * of groups divides the whole.
 */
function isOfWholePath(pattern: string): boolean {
  return /!\(|[[(][^\])]*\/|[^/]\*\*|\*\*[^/]|"/.test(pattern) || pattern.replace(/\([^)]*\)/g, '').includes('|');
}

/** A repeated group, or a repetition within a group, can take time without end. picomatch bounds its own, such as `+(a|b)`. */
function isBounded(name: string): boolean {
  const stars = (name.match(/\*+|\]\+|[+!]\(/g) ?? []).length;
  return stars <= MOST_STARS && !/[)}]\+|\([^)]*[(+*]/.test(name) && choicesOf(name) <= (stars > 2 ? 30 : MOST_CHOICES);
}

function testOfName(name: string, options: PicomatchOptions): PathTest {
  if (/^[\w@. -]*$/.test(name) && options.nocase !== true) return (one) => one === name;
  // picomatch's short ways for common patterns take names such as `a.` otherwise than the rest of it.
  return expressionTest(name, { ...options, fastpaths: false });
}

/** Compiles on first use. */
function expressionTest(pattern: string, options: PicomatchOptions): PathTest {
  let expression: RegExp | undefined;
  return (path) => {
    expression ??= picomatch.makeRe(pattern, options);
    return expression.test(path);
  };
}

/** Compares from the end: each part with each name at most once. */
function matches(parts: readonly Part[], names: readonly string[], dot: boolean): boolean {
  // Whether the parts from here on match the names from each position on.
  let after = names.map(() => false).concat(true);
  for (const part of parts.toReversed()) {
    const here = after.map(() => false);
    for (let at = names.length; at >= 0; at--) {
      const name = names[at];
      if (part !== '**') here[at] = name !== undefined && after[at + 1] === true && part(name);
      else here[at] = after[at] === true || (name !== undefined && here[at + 1] === true && isPassed(name, dot));
    }
    after = here;
  }
  return after[0] === true;
}

/** `**` goes through hidden folders only if asked to, and never through `.` and `..`. */
function isPassed(name: string, dot: boolean): boolean {
  return dot ? name !== '.' && name !== '..' : !name.startsWith('.');
}
