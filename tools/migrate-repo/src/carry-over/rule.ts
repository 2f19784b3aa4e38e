import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { Edits, Files, Newcomer, Project } from '../align/project.js';

/** What becomes of a file: it stays in the package, something of it goes into a file of the root, or it is taken away. */
export type CarryOverAction = 'keep' | 'merge' | 'drop';

/** What becomes of the files that some patterns match. */
export interface CarryOverRule {
  /** In a few words, for people. */
  readonly title: string;
  /** Globs of paths from the newcomer's folder, capitals and small letters alike; one without a slash means files at its top. */
  readonly matches: readonly string[];
  readonly action: CarryOverAction;
  /** Part of a sentence. */
  readonly reason: string;
  /** Called once for each newcomer that has such files. Without it they are kept, or taken away, and no more is said. */
  readonly apply?: (subject: Subject) => RuleOutcome;
}

/** What a rule looks at. */
export interface Subject {
  readonly newcomer: Newcomer;
  /** Its name without the scope. */
  readonly shortName: string;
  /** What the rule matched, from the newcomer's folder, sorted; never empty. */
  readonly files: readonly string[];
  /** The text of a file of the newcomer; `undefined` for what is not there, or is no text. */
  readonly read: (file: string) => string | undefined;
  /** The whole monorepo, with what other rules have done. */
  readonly monorepo: Files;
  readonly project: Project;
}

export interface RuleOutcome {
  readonly edits: Edits;
  /** At least one. */
  readonly notes: readonly Note[];
}

/** What became of a file, or of a folder of them. */
export interface Note {
  /** From the newcomer's folder; a folder ends with a slash. */
  readonly file: string;
  readonly action: CarryOverAction;
  /** A sentence. */
  readonly done: string;
  /** What a person must decide, in sentences; `undefined`: nothing. */
  readonly decision: string | undefined;
}

/** A note with whom it concerns and why. */
export interface CarryOverFinding extends Note {
  readonly newcomer: WorkspaceName;
  /** The title of the rule. */
  readonly rule: string;
  /** Part of a sentence. */
  readonly reason: string;
}

export const STAYS = 'It stays in the package.';

export function kept(file: string, decision?: string): Note {
  return { file, action: 'keep', done: STAYS, decision };
}

/** The edits that take files of the newcomer away. */
export function without(subject: Subject, files: readonly string[]): Edits {
  return new Map(files.map((file) => [inPackage(subject, file), undefined]));
}

/** The path of a file of the newcomer. */
export function inPackage({ newcomer }: Subject, file: string): RepoPath {
  return `${newcomer.path}/${file}` as RepoPath;
}

/** An outcome without edits: each file is kept, with what has to be decided about it. */
export function keepEach({ files }: Subject, decide: (file: string) => string | undefined): RuleOutcome {
  return { edits: new Map(), notes: files.map((file) => kept(file, decide(file))) };
}

/** The first of some files that the root has. */
export function firstAtRoot({ monorepo }: Subject, files: readonly string[]): RepoPath | undefined {
  return (files as readonly RepoPath[]).find((file) => monorepo.read(file) !== undefined);
}

/** Sentences that may be missing, as one text. */
export function sentences(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join(' ');
}

const SHOWN = 5;

/** `a, b, c and 4 more`. */
export function someOf(items: readonly string[]): string {
  return items.length <= SHOWN ? items.join(', ') : `${items.slice(0, SHOWN).join(', ')} and ${items.length - SHOWN} more`;
}
