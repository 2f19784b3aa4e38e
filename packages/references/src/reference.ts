import type { RepoFolder, RepoPath } from '@tributary/model/paths';

/** A name in a code file. */
export interface ScannedImport {
  /** As in the source, without quotes; never empty. Several strings after `__dirname` are joined. */
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
  /**
   * `module`: a package or path that `import` and `require` resolve. `path`: a path relative to the file's folder, even without a leading
   * `./`. `text`: a string that begins with `../` and may be a path.
   */
  readonly form: 'module' | 'path' | 'text';
}

/** A path, or the name of a package, in a settings file. */
export interface SettingPath extends ScannedImport {
  /** The place in the file: `compilerOptions.paths.ui.0`, `scripts.build`. */
  readonly key: string;
  /** The folder that the path is relative to. */
  readonly base: RepoFolder;
  /** Whether it was a pattern with wildcards; `specifier` is the part before the first. */
  readonly isPattern: boolean;
}

/** A place that reads what cannot be known from the text, such as `join(__dirname, '../..', name)`. */
export interface OpaquePlace {
  /** From 1. */
  readonly line: number;
  /** The folder that it may reach with everything below, as a path like `specifier`: `../..`. */
  readonly folder: string;
  /** As in `ScannedImport`: relative to the file's folder, or, for `text`, perhaps to that of its workspace. */
  readonly form: 'path' | 'text';
}

/** What a package.json says about its workspace. */
export interface ManifestFacts {
  readonly scripts: readonly { readonly name: string; readonly text: string; readonly line: number }[];
  /** The names in its blocks of dependencies. */
  readonly declared: readonly string[];
  /** The commands that it provides. */
  readonly binaries: readonly string[];
}

/** What a tracked file refers to. */
export interface FileReferences {
  readonly path: RepoPath;
  readonly names: readonly (ScannedImport | SettingPath)[];
  readonly opaque: readonly OpaquePlace[];
  /** Only for a package.json. */
  readonly manifest?: ManifestFacts;
}
