import type { RepoPath } from '@tributary/model/paths';
import type { FileClass } from './file-class.js';

/**
 * How a package is used. `type`: only by TypeScript. `resolve`: by its path. `reference`: `/// <reference types>`.
 * `binary`: in a script.
 */
export type UseKind = 'import' | 'type' | 'require' | 'resolve' | 'mock' | 'reference' | 'config' | 'binary';

/** A use of a package. */
export interface PackageUse {
  /** The package, or the possible packages, the likeliest first: `babel-plugin-x` for Babel's plugin `x`. Never empty. */
  readonly names: readonly string[];
  readonly kind: UseKind;
  /** Counted from 1. */
  readonly line: number;
  /** Whether the file works without it: a `require` in a `try`. */
  readonly guarded: boolean;
}

/** A reference in a code file, before its package is known. */
export interface ModuleReference extends Omit<PackageUse, 'names'> {
  /** As written. */
  readonly specifier: string;
}

/** A use with its file. */
export interface PlacedUse extends PackageUse {
  readonly file: RepoPath;
  readonly usedIn: FileClass;
}

/** A file that could not be parsed. In code, plain imports were found anyway. */
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
