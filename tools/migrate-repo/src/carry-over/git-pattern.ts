import type { RepoFolder } from '@tributary/model/paths';

/**
 * Rewrites a pattern of a file such as .gitignore or CODEOWNERS for the root's file, so that it matches the same files
 * below a folder. The pattern has no leading `!` and no surrounding white space.
 */
export function prefixPattern(pattern: string, folder: RepoFolder): string {
  const place = `/${escapePath(folder)}`;
  const isAnchored = /\/(?=[^/])/.test(pattern);
  if (isAnchored) return `${place}/${pattern.replace(/^\//, '')}`;
  return `${place}/**/${pattern}`;
}

/** Returns a pattern that matches only a path. */
export function escapePath(path: string): string {
  return path.replace(/[\\*?[\]\s#!]/g, '\\$&');
}

/**
 * Converts a pattern of .gitignore to an expression for whole paths, relative to the folder of that file; `undefined`
 * if git rejects it.
 */
export function ignoreExpression(pattern: string): RegExp | undefined {
  const bare = pattern.replace(/\/$/, '');
  const isAnchored = bare.includes('/');
  const names = bare.replace(/^\//, '').split('/');
  const parts = names.map((name, index) =>
    name === '**' ? anyFolders(index, names.length) : nameExpression(name, index === names.length - 1),
  );
  if (parts.includes(undefined)) return undefined;
  try {
    return new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${parts.join('')}$`, 's');
  } catch {
    return undefined;
  }
}

function anyFolders(index: number, count: number): string {
  return index === count - 1 ? '.+' : '(?:.*/)?';
}

function nameExpression(name: string, isLast: boolean): string | undefined {
  let expression = '';
  for (let at = 0; at < name.length; at++) {
    const sign = name[at] ?? '';
    if (sign === '*') expression += name[at - 1] === '*' ? '' : '[^/]*';
    else if (sign === '?') expression += '[^/]';
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
  return isLast ? expression : `${expression}/`;
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
