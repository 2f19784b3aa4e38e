import type { RepoPath } from '@tributary/model/paths';
import type { ScannedImport } from '@tributary/references/reference';
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

/** A module that a code file names, before its package is known. */
export interface ModuleReference extends Omit<PackageUse, 'names'> {
  /** As written. */
  readonly specifier: string;
  readonly by: ScannedImport['by'];
}

/** A use with its file. */
export interface PlacedUse extends PackageUse {
  readonly file: RepoPath;
  readonly usedIn: FileClass;
}
