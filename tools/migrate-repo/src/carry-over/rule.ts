import type { WorkspaceName } from '@tributary/model/ids';
import { joinRepoPath, type RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { Edits, TreeFiles } from '../align/project.js';
import { fieldsIn, mapIn } from '../fields.js';
import type { Message } from '../message.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';

/** What becomes of a file: it stays in the package, its content is merged into a file of the root, or it is removed. */
export type CarryOverAction = 'keep' | 'merge' | 'drop';

/** What becomes of the files that match some patterns. */
export interface CarryOverRule {
  /** A few words, for people. */
  readonly title: string;
  /** Globs of paths relative to the imported package's folder, ignoring case. One without a slash matches files at the top. */
  readonly matches: readonly string[];
  readonly action: CarryOverAction;
  /** A clause. */
  readonly reason: string;
  /** Whether it also applies to such files of the root of a former monorepo. */
  readonly inherits?: true;
  /** Called once for each imported package that has such files. Without it, they are kept or removed without further messages. */
  readonly apply?: (subject: RuleSubject) => RuleOutcome;
}

/** The input of a rule. Paths are relative to the root of the repository, unless stated otherwise. */
export interface RuleSubject {
  readonly importedPackage: CarriedPackage;
  /** Its name without the scope. */
  readonly shortName: string;
  /** The matching files, relative to the imported package's folder, sorted; never empty. Without links and submodules. */
  readonly files: readonly string[];
  /** Returns the text of a file of the imported package; `undefined` if it does not exist, or is not text. */
  readonly read: (file: string) => string | undefined;
  /** The whole repository, including changes by other rules. */
  readonly monorepo: TreeFiles;
  readonly repository: CarryOverRepository;
}

export interface RuleOutcome {
  readonly edits: Edits;
  readonly notes: readonly FileNote[];
}

/** What became of a file or folder. */
export interface FileNote {
  /** Relative to the imported package's folder. A folder ends with a slash; empty for the package as a whole. */
  readonly file: string;
  /** Its new place, if it went to the root. */
  readonly stands?: RepoPath;
  readonly action: CarryOverAction;
  /** `undefined` if it is unchanged. */
  readonly done: Message | undefined;
  /** Decisions for a person. */
  readonly remarks: readonly Message[];
}

/** A note with its package and its rule. */
export interface CarryOverFinding extends FileNote {
  readonly importedPackage: WorkspaceName;
  /** The title of the rule. */
  readonly rule: string;
  /** A clause. */
  readonly reason: string;
}

export function kept(file: string, ...remarks: readonly (Message | undefined)[]): FileNote {
  return { file, action: 'keep', done: undefined, remarks: remarks.filter((one) => one !== undefined) };
}

/** Returns the note for a removed file. `text`: a sentence with the reason. */
export function dropped(file: string, text: string, ...remarks: readonly (Message | undefined)[]): FileNote {
  return { file, action: 'drop', done: { text }, remarks: remarks.filter((one) => one !== undefined) };
}

/** Returns an outcome whose only edits remove the dropped files. */
export function dropNoted(subject: RuleSubject, notes: readonly FileNote[]): RuleOutcome {
  const gone = notes.filter(({ action }) => action === 'drop').map(({ file }) => file);
  return { edits: without(subject, gone), notes };
}

/** Returns the edits that remove files of the imported package. */
export function without(subject: RuleSubject, files: readonly string[]): Edits {
  return new Map(files.map((file) => [inPackage(subject, file), undefined]));
}

/** Returns the path of a file of the imported package. */
export function inPackage({ importedPackage }: Pick<RuleSubject, 'importedPackage'>, file: string): RepoPath {
  return `${importedPackage.path}/${file}` as RepoPath;
}

/** Returns the path of a file beside the root package.json, where Yarn and most tools look. */
export function inProject({ repository }: Pick<RuleSubject, 'repository'>, file: string): RepoPath {
  return joinRepoPath(repository.root, file);
}

/** Whether the root package.json declares a dependency with such a name, so that its tools may be started there. */
export function rootHas(subject: RuleSubject, name: RegExp): boolean {
  const manifest = fieldsIn(subject.monorepo.read(inProject(subject, 'package.json')));
  return ['dependencies', 'devDependencies'].some((block) => Object.keys(mapIn(manifest, block)).some((one) => name.test(one)));
}

/** Returns an outcome without edits: each file is kept, with its decisions. */
export function keepEach({ files }: RuleSubject, decide: (file: string) => readonly (Message | undefined)[]): RuleOutcome {
  return { edits: new Map(), notes: files.map((file) => kept(file, ...decide(file))) };
}

/** Returns the first readable one of some files. */
export function firstOf({ monorepo }: Pick<RuleSubject, 'monorepo'>, files: readonly string[]): RepoPath | undefined {
  return (files as readonly RepoPath[]).find((file) => monorepo.read(file) !== undefined);
}

/** Returns the first readable one of some files, in the nearest folder above the imported package that has one. */
export function nearestAbove(subject: Pick<RuleSubject, 'monorepo' | 'importedPackage'>, files: readonly string[]): RepoPath | undefined {
  for (let folder = parentFolder(subject.importedPackage.path); ; folder = parentFolder(folder)) {
    const found = firstOf(
      subject,
      files.map((file) => joinRepoPath(folder, file)),
    );
    if (found !== undefined || folder === '') return found;
  }
}
