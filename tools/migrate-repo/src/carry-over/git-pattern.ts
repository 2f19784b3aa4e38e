import { ToolError } from '@tributary/model/errors';
import { joinRepoPath, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { TreeFiles } from '../align/project.js';

/**
 * Rewrites a pattern of a file such as .gitignore or CODEOWNERS for the root's file, so that it matches the same files
 * below a folder. The pattern has no leading `!` and no surrounding white space.
 */
export function prefixPattern(pattern: string, folder: RepoFolder): string {
  const place = `/${escapePath(folder)}`;
  if (isAnchored(pattern)) return `${place}/${pattern.replace(/^\//, '')}`;
  return `${place}/**/${pattern}`;
}

/** Whether a pattern applies from the folder of its file, and not at every level. */
export function isAnchored(pattern: string): boolean {
  return /\/(?=[^/])/.test(pattern);
}

/** Returns a pattern that matches only a path. */
export function escapePath(path: string): string {
  return path.replace(/[\\*?[\]\s#!]/g, '\\$&');
}

/**
 * Converts a pattern of .gitignore to an expression for whole paths, relative to the folder of that file; `undefined`
 * if git rejects it. Throws `CONFIG_INVALID` for more `**` than can be compared in time.
 */
export function ignoreExpression(pattern: string): RegExp | undefined {
  const bare = pattern.replace(/\/$/, '');
  const names = bare
    .replace(/^\//, '')
    .split('/')
    .filter((name, at, all) => name !== '**' || all[at - 1] !== '**');
  if (!isComparable(pattern)) throw tooMuch(pattern);
  const parts = names.map((name, index) =>
    name === '**' ? anyFolders(index, names.length) : nameExpression(name, index === names.length - 1),
  );
  if (parts.includes(undefined)) return undefined;
  try {
    return new RegExp(`^${bare.includes('/') ? '' : '(?:.*/)?'}${parts.join('')}$`, 's');
  } catch {
    return undefined;
  }
}

/** Whether a pattern can be compared in time. */
export function isComparable(pattern: string): boolean {
  return (pattern.match(/(?<![^/])\*\*(?:\/\*\*)*(?![^/])/g)?.length ?? 0) <= MOST_FOLDER_STARS;
}

/** With more, an expression takes too long to try every way to divide a path among them. */
const MOST_FOLDER_STARS = 3;

function tooMuch(pattern: string): ToolError {
  return new ToolError({
    code: 'CONFIG_INVALID',
    message: `The git pattern ${JSON.stringify(pattern.slice(0, 60))} has more than ${MOST_FOLDER_STARS} times "**".`,
    hint: 'Shorten it in .gitignore or .gitattributes.',
  });
}

function anyFolders(index: number, count: number): string {
  return index === count - 1 ? '.+' : '(?:.*/)?';
}

function nameExpression(name: string, isLast: boolean): string | undefined {
  const parts = partsBetweenStars(name);
  if (parts === undefined) return undefined;
  const [first = '', ...others] = parts;
  // Up to the first place where the next part matches: a star that tries all others takes time without end.
  const stars = others.map((part, at) => (at < others.length - 1 ? `(?:(?!${part})[^/])*${part}` : `[^/]*${part}`));
  return `${first}${stars.join('')}${isLast ? '' : '/'}`;
}

/** Returns the expressions before, between and after the stars of a name; `undefined` if git rejects it. */
function partsBetweenStars(name: string): readonly string[] | undefined {
  const parts: string[] = [];
  let expression = '';
  for (let at = 0; at < name.length; at++) {
    const sign = name[at] ?? '';
    if (sign === '*') {
      while (name[at + 1] === '*') at++;
      parts.push(expression);
      expression = '';
    } else if (sign === '?') expression += '[^/]';
    else if (sign === '[') {
      const set = /^\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/.exec(name.slice(at))?.[0];
      if (set === undefined) return undefined;
      expression += setExpression(set);
      at += set.length - 1;
    } else {
      // A pattern that ends with a backslash matches nothing.
      if (sign === '\\' && at === name.length - 1) return undefined;
      expression += escapeSign(sign === '\\' ? (name[++at] ?? '') : sign);
    }
  }
  return [...parts, expression];
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`{-~',
  blank: ' \\t',
};

/** Converts `[!a-z[:digit:]]` to `[^a-z0-9]`, which never matches a slash. */
function setExpression(set: string): string {
  const [, negation = '', members = ''] = /^\[([!^]?)(.*)\]$/s.exec(set) ?? [];
  const written = members.replace(/\[:(\w+):\]|\\(.)|([[\]^])/gs, (_, name?: string, escaped?: string, sign?: string) =>
    name !== undefined ? (CLASSES[name] ?? '') : `\\${escaped ?? sign ?? ''}`,
  );
  return negation === '' ? `(?!/)[${written}]` : `[^/${written}]`;
}

function escapeSign(sign: string): string {
  return sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The rules of a tree's files with one name, such as .gitignore, each for its own folder. */
export class RulesByFolder<Rule extends { readonly expression: RegExp }> {
  private readonly files: TreeFiles;
  private readonly name: string;
  private readonly parse: (text: string, file: RepoPath) => readonly Rule[];
  private readonly parsed = new Map<RepoFolder, readonly Rule[]>();

  constructor(files: TreeFiles, name: string, parse: (text: string, file: RepoPath) => readonly Rule[]) {
    this.files = files;
    this.name = name;
    this.parse = parse;
  }

  /** Returns the last suitable rule for a path in the deepest file that has one. `from`: files above this folder are ignored. */
  find(path: RepoPath | RepoFolder, isSuitable: (rule: Rule) => boolean, from: RepoFolder = ''): Rule | undefined {
    for (let folder = parentFolder(path); ; folder = parentFolder(folder)) {
      const below = path.slice(folder === '' ? 0 : folder.length + 1);
      const rule = this.rulesIn(folder).findLast((one) => isSuitable(one) && one.expression.test(below));
      if (rule !== undefined || folder === from || folder === '') return rule;
    }
  }

  private rulesIn(folder: RepoFolder): readonly Rule[] {
    const known = this.parsed.get(folder);
    if (known !== undefined) return known;
    const file = joinRepoPath(folder, this.name);
    const rules = this.parse(this.files.read(file) ?? '', file);
    this.parsed.set(folder, rules);
    return rules;
  }
}
