import type { ModuleReference } from './use.js';

const TYPES = /^[ \t]*\/\/\/[ \t]*<reference\s+types\s*=\s*["']([^"'\n]+)["']/gm;
const PRAGMA = /^[ \t/*]*@(jest-environment|jsxImportSource)[ \t]+([^\s*]+)/gm;
const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g;
const DOC_TYPE = /\{[^{}\n]*?\bimport\(\s*(["'])([^"'\n]+)\1\s*\)|@import\s[^*]*?from\s+(["'])([^"'\n]+)\3/g;

/** A reference to a package in a comment. `environment`: a short name of jest. */
export interface CommentReference extends ModuleReference {
  readonly form: 'module' | 'environment';
}

/** Returns the references in a file's comments: reference types, pragmas and, in JavaScript, JSDoc types, in this order. */
export function referencesInComments(text: string, language: 'js' | 'ts'): readonly CommentReference[] {
  const found: CommentReference[] = [];
  const add = (offset: number, specifier: string, rest: Pick<CommentReference, 'kind' | 'form'>): void => {
    found.push({ specifier, line: text.slice(0, offset).split('\n').length, guarded: false, ...rest });
  };
  for (const match of text.matchAll(TYPES)) add(match.index, match[1] ?? '', { kind: 'reference', form: 'module' });
  for (const match of text.matchAll(PRAGMA)) {
    const isJest = match[1] === 'jest-environment';
    add(match.index, match[2] ?? '', { kind: isJest ? 'config' : 'import', form: isJest ? 'environment' : 'module' });
  }
  if (language === 'ts') return found;
  for (const comment of text.matchAll(DOC_COMMENT)) {
    for (const match of comment[0].matchAll(DOC_TYPE))
      add(comment.index + match.index, match[2] ?? match[4] ?? '', { kind: 'type', form: 'module' });
  }
  return found;
}
