import type { WorkspaceName } from '@tributary/model/ids';
import { joinRepoPath, type RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { Edits, TreeFiles } from '../align/project.js';
import type { Message } from '../message.js';
import type { ArrivedPackage, CarryOverRepository } from './repository.js';

/** What becomes of a file: it stays in the package, something of it goes into a file of the root, or it is taken away. */
export type CarryOverAction = 'keep' | 'merge' | 'drop';

/** What becomes of the files that some patterns match. */
export interface CarryOverRule {
  /** In a few words, for people. */
  readonly title: string;
  /** Globs of paths from the imported package's folder, capitals and small letters alike; one without a slash means files at its top. */
  readonly matches: readonly string[];
  readonly action: CarryOverAction;
  /** Part of a sentence. */
  readonly reason: string;
  /** Called once for each imported package that has such files. Without it they are kept, or taken away, and no more is said. */
  readonly apply?: (subject: Subject) => RuleOutcome;
}

/** What a rule looks at. Paths are from the root of the repository, unless they are said to be from the imported package's folder. */
export interface Subject {
  readonly importedPackage: ArrivedPackage;
  /** Its name without the scope. */
  readonly shortName: string;
  /** What the rule matched, from the imported package's folder, sorted; never empty. Links and submodules are not among them. */
  readonly files: readonly string[];
  /** The text of a file of the imported package; `undefined` for what is not there, or is no text. */
  readonly read: (file: string) => string | undefined;
  /** The whole repository, with what other rules have done. */
  readonly monorepo: TreeFiles;
  readonly repository: CarryOverRepository;
}

export interface RuleOutcome {
  readonly edits: Edits;
  /** At least one. */
  readonly notes: readonly Note[];
}

/** What became of a file, or of a folder of them. */
export interface Note {
  /** From the imported package's folder; a folder ends with a slash; empty: the package as a whole. */
  readonly file: string;
  /** Where it is now, if it went to the root. */
  readonly stands?: RepoPath;
  readonly action: CarryOverAction;
  /** `undefined`: nothing, it is as it was. */
  readonly done: Message | undefined;
  /** What a person must decide. */
  readonly remarks: readonly Message[];
}

/** A note with whom it concerns and why. */
export interface CarryOverFinding extends Note {
  readonly importedPackage: WorkspaceName;
  /** The title of the rule. */
  readonly rule: string;
  /** Part of a sentence. */
  readonly reason: string;
}

export function kept(file: string, ...remarks: readonly (Message | undefined)[]): Note {
  return { file, action: 'keep', done: undefined, remarks: remarks.filter((one) => one !== undefined) };
}

/** `text`: a sentence that says why. */
export function dropped(file: string, text: string, ...remarks: readonly (Message | undefined)[]): Note {
  return { file, action: 'drop', done: { text }, remarks: remarks.filter((one) => one !== undefined) };
}

/** The edits that take files of the imported package away. */
export function without(subject: Subject, files: readonly string[]): Edits {
  return new Map(files.map((file) => [inPackage(subject, file), undefined]));
}

/** The path of a file of the imported package. */
export function inPackage({ importedPackage }: Pick<Subject, 'importedPackage'>, file: string): RepoPath {
  return `${importedPackage.path}/${file}` as RepoPath;
}

/** The path of a file beside the root package.json, where Yarn and most tools look. */
export function inProject({ repository }: Pick<Subject, 'repository'>, file: string): RepoPath {
  return joinRepoPath(repository.root, file);
}

/** An outcome without edits: each file is kept, with what has to be decided about it. */
export function keepEach({ files }: Subject, decide: (file: string) => readonly (Message | undefined)[]): RuleOutcome {
  return { edits: new Map(), notes: files.map((file) => kept(file, ...decide(file))) };
}

/** The first of some files that can be read. */
export function firstOf({ monorepo }: Pick<Subject, 'monorepo'>, files: readonly string[]): RepoPath | undefined {
  return (files as readonly RepoPath[]).find((file) => monorepo.read(file) !== undefined);
}

/** The first of some files that can be read in the nearest folder above the imported package that has one of them. */
export function nearestAbove(subject: Pick<Subject, 'monorepo' | 'importedPackage'>, files: readonly string[]): RepoPath | undefined {
  for (let folder = parentFolder(subject.importedPackage.path); ; folder = parentFolder(folder)) {
    const found = firstOf(
      subject,
      files.map((file) => joinRepoPath(folder, file)),
    );
    if (found !== undefined || folder === '') return found;
  }
}

const SHOWN = 5;

/** `a, b, c and 4 more`. */
export function someOf(items: readonly string[]): string {
  return items.length <= SHOWN ? items.join(', ') : `${items.slice(0, SHOWN).join(', ')} and ${items.length - SHOWN} more`;
}
