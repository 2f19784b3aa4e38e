import type { RepoPath } from '@tributary/model/paths';
import type { FileClass } from './file-class.js';

/** How a package is used. `type`: for TypeScript only; `resolve`: by its path; `reference`: `/// <reference types>`; `binary`: in a script. */
export type UseKind = 'import' | 'type' | 'require' | 'resolve' | 'mock' | 'reference' | 'config' | 'binary';

/** A place that uses a package. */
export interface Use {
  /** The package, or those that may be meant, the likeliest first: for the plugin `x` of Babel `babel-plugin-x`. Never empty. */
  readonly names: readonly string[];
  readonly kind: UseKind;
  /** From 1. */
  readonly line: number;
  /** Whether the file goes on without it: a `require` in a `try`. */
  readonly guarded: boolean;
}

/** What a file of code names, before anybody asks which package that is. */
export interface ModuleReference extends Omit<Use, 'names'> {
  /** As written. */
  readonly specifier: string;
}

/** A use with its place. */
export interface PlacedUse extends Use {
  readonly file: RepoPath;
  readonly usedIn: FileClass;
}

/** A file that could not be read as what it is; in code, plain imports were found nevertheless. */
export interface UnreadFile {
  readonly file: RepoPath;
  /** In the parser's words. */
  readonly problem: string;
}

/** What was found in files. */
export interface Uses {
  readonly uses: readonly PlacedUse[];
  readonly unread: readonly UnreadFile[];
}
