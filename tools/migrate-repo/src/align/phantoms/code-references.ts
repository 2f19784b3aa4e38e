import type { RepoPath } from '@tributary/model/paths';
import { literalsIn } from '@tributary/references/code-literals';
import { readReferences } from '@tributary/references/read-references';
import type { ScannedImport } from '@tributary/references/reference';
import { type NameInContext, readContext } from './code-context.js';
import type { ModuleReference, UseKind } from './use.js';

/** Whether a file is TypeScript, or a component whose script is. */
export function isTypeScript(path: string, text: string): boolean {
  return /\.(?:vue|svelte|astro)$/.test(path) ? /<script\b[^>]*\blang\s*=\s*["']?tsx?\b/.test(text) : /\.[cm]?tsx?$/.test(path);
}

/** Returns the modules that a code file names, by line, without those that it mocks as virtual. */
export function modulesIn(path: RepoPath, text: string): readonly ModuleReference[] {
  // The strings of settings in code have another reader.
  const names = readReferences(path, text).names.filter((name) => name.form === 'module' && !('key' in name));
  const docs = isTypeScript(path, text) ? [] : typesInDocs(text);
  const found = [...readContext(text, names), ...docs].sort((one, other) => one.line - other.line);
  return found.map((name) => ({
    specifier: name.specifier,
    line: name.line,
    by: name.by,
    kind: kindOf(path, name),
    guarded: name.guarded,
  }));
}

function kindOf(path: string, { isType, by }: ScannedImport): UseKind {
  switch (by) {
    case '@jest-environment':
    case '@vitest-environment':
      return 'config';
    case '/// <reference types>':
      return 'reference';
    default:
      // A file of declarations has only types.
      if (isType === true || /\.d\.(?:[\w-]+\.)?[cm]?ts$/.test(path)) return 'type';
      return by === undefined || by === '@jsxImportSource' ? 'import' : by;
  }
}

const DOC_TYPE = /\{[^{}]{0,200}?\bimport\(\s*(["'])([^"']+)\1\s*\)|@import\s[^*]{0,400}?from\s+(["'])([^"']+)\3/g;

/** Returns the types in the documentation of JavaScript, which TypeScript reads, such as `@type` of what `import()` names. */
function typesInDocs(text: string): readonly NameInContext[] {
  if (!text.includes('import', text.indexOf('/**') + 1)) return [];
  const docs = literalsIn(text).filter((literal) => literal.text.startsWith('/**'));
  const lines = docs.flatMap((doc) => doc.text.split('\n').map((line, at) => ({ text: line, line: doc.line + at })));
  return lines.flatMap(({ text: row, line }) =>
    [...row.matchAll(DOC_TYPE)].map(([, , type, , other]) => ({
      specifier: type ?? other ?? '',
      line,
      form: 'module',
      isType: true,
      guarded: false,
    })),
  );
}
