import type { RepoPath } from '@tributary/model/paths';
import { readReferences } from '@tributary/references/read-references';
import type { ScannedImport } from '@tributary/references/reference';
import { readContext } from './code-context.js';
import type { ModuleReference, UseKind } from './use.js';

/** Returns the modules that a code file names, by line, without those that it mocks as virtual. */
export function modulesIn(path: RepoPath, text: string): readonly ModuleReference[] {
  // The strings of settings in code have another reader.
  const names = readReferences(path, text).names.filter((name) => name.form === 'module' && !('key' in name));
  return readContext(text, names).map((name) => ({
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
    case '@type':
      return 'type';
    default:
      // A file of declarations has only types.
      if (isType === true || /\.d\.(?:[\w-]+\.)?[cm]?ts$/.test(path)) return 'type';
      return by === undefined || by === '@jsxImportSource' ? 'import' : by;
  }
}
