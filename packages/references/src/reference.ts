import type { RepoFolder, RepoPath } from '@tributary/model/paths';

/** A name in a code file. */
export interface ScannedImport {
  /** As in the source, without quotes; never empty. Several strings after `__dirname` are joined. */
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
  /**
   * `module`: a package or path that `import` and `require` resolve. `path`: a path relative to the file's folder, even without a leading
   * `./`. `text`: a string that begins with `../` and may be a path. `start`: one that may be a path from the project's root, where a
   * program may start.
   */
  readonly form: 'module' | 'path' | 'text' | 'start';
  /** Whether only types are imported. Missing where that is not certain. */
  readonly isType?: true;
  /** What names a module other than an import or export: a call, or a comment. `mock`: a module function of a test runner. */
  readonly by?:
    | 'require'
    | 'resolve'
    | 'mock'
    | '@type'
    | '/// <reference types>'
    | '@jest-environment'
    | '@vitest-environment'
    | '@jsxImportSource';
  /** Whether a test runner only finds the module: an arrow function without parameters makes a mock of it up. */
  readonly isMadeUp?: true;
  /** Whether it was a pattern with wildcards; `specifier` is the part before the first. */
  readonly isPattern?: boolean;
  /**
   * How what a pattern matches ends, if that is known: `src` for a star and `/src`, `.md` for a star with that extension; with a slash in
   * front, it is loaded as a module: `/src` for `<rootDir>/../$1/src`.
   */
  readonly ending?: string;
  /** Whether the pattern begins with what was captured of an imported name, as in a `moduleNameMapper`: `../$1/src`. */
  readonly isCapture?: true;
}

/** A path, or the name of a package, in a settings file. */
export interface SettingPath extends ScannedImport {
  /** The place in the file: `compilerOptions.paths.ui.0`, `scripts.build`; `literal` for a string in code that configures a tool. */
  readonly key: string;
  /** Whether only a wide reading takes it for the name of a package: the tool looks for another one, or for none. */
  readonly isGuess?: true;
  /** Whether such a reading put something in front of what is written: `eslint-plugin-` for the name of a plugin. */
  readonly isLengthened?: true;
  /** The folder that the path is relative to. */
  readonly base: RepoFolder;
  readonly isPattern: boolean;
  /**
   * The name of the workspace that reads it, if that is not the workspace of the file; `*`: every workspace. Such a path of form `text` is
   * relative to the reader's folder.
   */
  readonly reader?: string;
  /** The folder that the path is relative to if nothing is there at `base`. */
  readonly otherwise?: RepoFolder;
}

/** A place that reads what cannot be known from the text, such as `join(__dirname, '../..', name)`. */
export interface OpaquePlace {
  /** From 1. */
  readonly line: number;
  /**
   * The folder that it may reach with everything below, as a path like `specifier`: `../..`. `/` is the root of the project, for what
   * searches all folders upwards.
   */
  readonly folder: string;
  /** As in `ScannedImport`: relative to the file's folder, or, for `text`, perhaps to that of its workspace. */
  readonly form: 'path' | 'text';
  /**
   * Whether it shows too little of what it reads: it may begin anywhere, it searches upwards, or it only names a folder, as in `root =
   * join(__dirname, '..')`. What is read below that is named where it is joined.
   */
  readonly isVague?: true;
}

/** A task that a task runner runs for another one. */
export interface NeededTask {
  readonly task: string;
  /** The name of the workspace that has it, where the settings say so; `//`: the root. */
  readonly of?: string;
  readonly needs: string;
  /** The name of the workspace whose task is run: `web` in `"dependsOn": ["web#build"]`; `//`: the root. */
  readonly in?: string;
  /** From 1. */
  readonly line: number;
}

/** A command that code or a shell file starts, or may start. */
export interface StartedCommand {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Whether it is a string that looks like one, and may be a message. */
  readonly isPerhaps?: true;
}

/** What a package.json says about its workspace. */
export interface ManifestFacts {
  readonly scripts: readonly { readonly name: string; readonly text: string; readonly line: number }[];
  /** The names in its blocks of dependencies. */
  readonly declared: readonly string[];
  /** The commands that it provides. */
  readonly binaries: readonly string[];
}

/**
 * Which paths of a file count. `upwards`: those that leave its folder upwards, because its workspace owns the rest. `everywhere`: all, for
 * files outside of all workspaces. `inside`: also the file's folder itself, for what a workspace reads of its own, and in workspaces that
 * hold others.
 */
export type Reach = 'upwards' | 'everywhere' | 'inside';

/** What may count in a file. */
export interface Scope {
  readonly reach: Reach;
  /** The names at the top of the project: with one of them, a path of form `start` begins. */
  readonly entries: ReadonlySet<string>;
}

export const ALONE: Scope = { reach: 'upwards', entries: new Set() };

/** What a tracked file refers to. */
export interface FileReferences {
  readonly path: RepoPath;
  readonly names: readonly (ScannedImport | SettingPath)[];
  readonly opaque: readonly OpaquePlace[];
  /** Only for a package.json. */
  readonly manifest?: ManifestFacts;
  /** Only for settings of task runners. */
  readonly tasks?: readonly NeededTask[];
  /** Only for code, shell files and Makefiles. */
  readonly commands?: readonly StartedCommand[];
}
