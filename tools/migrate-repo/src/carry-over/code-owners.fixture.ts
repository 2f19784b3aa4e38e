import { parseOwnersLine } from './rules/code-owners.js';

/**
 * FOR TESTS. Returns who owns a file by GitHub's rules: the last line that matches counts. Patterns are those of
 * .gitignore, without negation and character sets. A star at the end of a pattern with a slash does not reach into
 * folders.
 */
export function ownersOf(text: string, path: string): readonly string[] {
  const lines = text.split('\n').flatMap((line) => parseOwnersLine(line) ?? []);
  return lines.findLast(({ pattern }) => expressionOf(pattern).test(path))?.owners ?? [];
}

function expressionOf(pattern: string): RegExp {
  if (pattern === '/') return /^$/;
  if (ANY_FOLDER.test(pattern)) return /\//;
  const names = pattern
    .replace(/^\//, '')
    .replace(/(\*\*\/)+(?=\*\*(\/|$))/g, '')
    .split('/');
  const isFolder = names.at(-1) === '';
  if (isFolder) names[names.length - 1] = '**';
  if (!pattern.startsWith('/') && names.length === (isFolder ? 2 : 1) && names[0] !== '**') names.unshift('**');
  let expression = '';
  let needsSlash = false;
  names.forEach((name, index) => {
    const isLast = index === names.length - 1;
    if (name === '**' && index === 0) expression += isLast ? '.+' : '(?:.+/)?';
    else if (name === '**') expression += isLast ? '/.*' : '(?:/.+)?';
    else {
      const stars = name === '*' ? '[^/]+' : nameExpression(name);
      expression += `${needsSlash ? '/' : ''}${stars}${isLast && name !== '*' ? '(?:/.*)?' : ''}`;
    }
    needsSlash = name !== '**' || index > 0;
  });
  return new RegExp(`^${expression}$`, 's');
}

/** `**\/`: what lies in any folder. */
const ANY_FOLDER = /^\/?(\*\*\/)+$/;

function nameExpression(name: string): string {
  return name.replace(/\\(.)|[*?]|[.+^${}()|[\]]/gs, (sign, escaped?: string) => {
    if (escaped !== undefined) return `\\${escaped}`;
    if (sign === '*') return '[^/]*';
    return sign === '?' ? '[^/]' : `\\${sign}`;
  });
}
