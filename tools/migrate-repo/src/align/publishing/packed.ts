import picomatch from 'picomatch';
import { ignorePattern } from '../../carry-over/git-ignore.js';
import { ignoreExpression, isComparable } from '../../carry-over/git-pattern.js';

/** What decides which files of a package are published. */
export interface Packing {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Returns the text of a file, relative to the package's folder. */
  readonly read: (file: string) => string | undefined;
}

/**
 * Returns whether npm would pack a file of a package, relative to its folder: by `files`, else by .npmignore, else by
 * .gitignore at the top. Ignore files in subfolders are not read, so the answer may be a false "yes". Source:
 * https://docs.npmjs.com/cli/configuring-npm/package-json#files
 */
export function packedTest({ manifest, read }: Packing): (file: string) => boolean {
  const { files, main, bin, browser } = manifest;
  const named = new Set([main, browser, ...(typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin])].flatMap(plainName));
  const isListed = Array.isArray(files) ? listedTest(files.flatMap(textOf)) : undefined;
  const isIgnored = isListed === undefined ? ignoredTest(read('.npmignore') ?? read('.gitignore') ?? '') : undefined;
  return (file) => ALWAYS.test(file) || named.has(file) || (isListed?.(file) ?? isIgnored?.(file) === false);
}

const ALWAYS = /^(?:package\.json|readme(?:\..*)?|licen[cs]e(?:\..*)?)$/i;

function textOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

function plainName(value: unknown): readonly string[] {
  return textOf(value).map((path) => path.replace(/^(?:\.?\/)+/, ''));
}

/** An entry is a pattern from the top; a folder stands for what it has. Later exceptions apply. */
function listedTest(files: readonly string[]): (file: string) => boolean {
  const rules = files.map((entry) => {
    const isNegative = entry.startsWith('!');
    const plain = entry
      .replace(/^!/, '')
      .replace(/^(?:\.?\/)+/, '')
      .replace(/\/+$/, '');
    const patterns = plain === '' || plain === '.' ? ['**'] : [plain, `${plain}/**`];
    return { isNegative, test: picomatch(patterns, { dot: true }) };
  });
  return (file) => rules.findLast(({ test }) => test(file))?.isNegative === false;
}

function ignoredTest(text: string): (file: string) => boolean {
  const rules = text.split('\n').flatMap((line) => {
    const pattern = ignorePattern(line);
    const isNegative = pattern?.startsWith('!') === true;
    const bare = isNegative ? pattern.slice(1) : (pattern ?? '');
    // One that cannot be compared hides nothing, and its exception may apply to every file.
    const expression = isComparable(bare) ? ignoreExpression(bare) : isNegative ? /^/ : undefined;
    return expression === undefined ? [] : [{ isNegative, expression }];
  });
  const isHidden = (path: string): boolean => rules.findLast(({ expression }) => expression.test(path))?.isNegative === false;
  return (file) => file.split('/').some((_, at, names) => isHidden(names.slice(0, at + 1).join('/')));
}
