import { withoutScope } from '@tributary/model/ids';
import { isInside, joinRepoPath, type RepoPath, relativeTo } from '@tributary/model/paths';
import picomatch from 'picomatch';
import type { Edits, StepOutcome, TreeFiles } from '../align/project.js';
import { Draft } from '../edit/draft.js';
import { changedAttributes } from './changed-attributes.js';
import { carryFormerRoot } from './former-root.js';
import { hiddenFiles } from './hidden-files.js';
import { linkFindings } from './links.js';
import { misplacedInFiles } from './misplaced-files.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';
import {
  type CarryOverFinding,
  type CarryOverRule,
  dropped,
  type FileNote,
  inPackage,
  kept,
  type RuleOutcome,
  type RuleSubject,
  without,
} from './rule.js';
import { orphanSubmodules } from './rules/git-modules.js';
import { CARRY_OVER_RULES } from './table.js';

/**
 * Decides about every file at the top of each imported package, and in folders that the table names, by the first
 * matching rule. Files in other folders stay and are not reported. Findings are in the order of the imported packages,
 * then of the table; those that depend only on the package's place are last. Applying it to its own result changes
 * nothing.
 */
export function carryOver(repository: CarryOverRepository): StepOutcome<CarryOverFinding> {
  const { importedPackages, files } = repository;
  // Files of a former root can be read, but they are only there after a rule has placed them.
  const inherited = new Set(importedPackages.flatMap(({ formerRoot }) => [...(formerRoot?.inherited ?? [])]));
  const draft = new Draft({ paths: files.paths.filter((path) => !inherited.has(path)), read: files.read });
  const findings = importedPackages.flatMap((importedPackage) => [
    ...carryImportedPackage({ repository, importedPackage, draft }),
    ...carryFormerRoot(repository, importedPackage, draft),
  ]);
  const ofGit = [
    ...orphanSubmodules(draft, importedPackages),
    ...hiddenFiles(draft, importedPackages),
    ...changedAttributes(draft, importedPackages),
  ];
  const commands = misplacedInFiles(repository);
  return { edits: draft.edits, findings: [...findings, ...linkFindings(repository, draft), ...ofGit, ...commands] };
}

interface CarryOverContext {
  readonly repository: CarryOverRepository;
  readonly importedPackage: CarriedPackage;
  readonly draft: Draft;
}

function carryImportedPackage({ repository, importedPackage, draft }: CarryOverContext): readonly CarryOverFinding[] {
  const found = filesByRule(repository, importedPackage);
  return CARRY_OVER_RULES.flatMap((rule) => {
    const files = found.get(rule);
    if (files === undefined) return [];
    const read = (file: string): string | undefined => draft.read(`${importedPackage.path}/${file}` as RepoPath);
    const subject: RuleSubject = {
      importedPackage,
      shortName: withoutScope(importedPackage.name),
      files,
      read,
      monorepo: draft,
      repository,
    };
    const { edits, notes } = (rule.apply ?? byDefault(rule))(subject);
    draft.apply(edits);
    draft.apply(placed(notes, importedPackage, draft));
    // What was only at the former root was not removed here.
    const isNews = ({ file, action }: FileNote): boolean =>
      action !== 'drop' || importedPackage.formerRoot?.inherited.has(inPackage(subject, file)) !== true;
    return notes.filter(isNews).map((note) => ({ ...note, importedPackage: importedPackage.name, rule: rule.title, reason: rule.reason }));
  });
}

/** Returns the files of a former root that stay in the package: they have to get there first. */
function placed(notes: readonly FileNote[], { path, formerRoot }: CarriedPackage, { read }: Draft): Edits {
  const kept = notes.filter(({ action }) => action === 'keep').map(({ file }) => joinRepoPath(path, file.replace(/\/$/, '')));
  const files = [...(formerRoot?.inherited ?? [])].filter((file) => kept.some((one) => isInside(file, one)));
  return new Map(files.map((file) => [file, read(file)]));
}

/** Returns the rules that match files of the imported package, each with its files in order. */
function filesByRule({ files: all }: CarryOverRepository, importedPackage: CarriedPackage): ReadonlyMap<CarryOverRule, readonly string[]> {
  const found = new Map<CarryOverRule, string[]>();
  const unreadable = new Set<string>([...importedPackage.links.keys(), ...importedPackage.submodules]);
  for (const path of all.paths) {
    if (!isInside(path, importedPackage.path)) continue;
    const file = relativeTo(importedPackage.path, path);
    const rule = ruleFor(file);
    // A link has no content to merge or compare, but it can be removed.
    const isUseless = unreadable.has(path) && (rule?.action !== 'drop' || rule.apply !== undefined);
    const isElsewhere = importedPackage.formerRoot?.inherited.has(path) === true && rule?.inherits !== true;
    if (rule === undefined || isUseless || isElsewhere) continue;
    const files = found.get(rule);
    if (files === undefined) found.set(rule, [file]);
    else files.push(file);
  }
  return found;
}

const TESTS = CARRY_OVER_RULES.map((rule) => ({ rule, test: picomatch([...rule.matches], { dot: true, nocase: true }) }));

/** Folders that patterns start with. Files in other folders, perhaps thousands, need not be matched. */
const FOLDERS: ReadonlySet<string> = new Set(
  CARRY_OVER_RULES.flatMap(({ matches }) => matches.flatMap((glob) => (glob.includes('/') ? [glob.slice(0, glob.indexOf('/'))] : []))),
);

/**
 * Returns the first rule that matches a path relative to the imported package's folder; `undefined` for files in
 * folders that no rule names.
 */
export function ruleFor(file: string): CarryOverRule | undefined {
  const slash = file.indexOf('/');
  if (slash !== -1 && !FOLDERS.has(file.slice(0, slash).toLowerCase())) return undefined;
  return TESTS.find(({ test }) => test(file))?.rule;
}

/** Returns files without those of imported packages that a rule removes, whatever the monorepo has. */
export function withoutDropped({ paths, read }: TreeFiles, importedPackages: readonly { readonly path: RepoPath }[]): TreeFiles {
  const isDropped = (path: RepoPath): boolean =>
    importedPackages.some((one) => isInside(path, one.path) && ruleFor(relativeTo(one.path, path))?.action === 'drop');
  return { paths: paths.filter((path) => !isDropped(path)), read };
}

function byDefault({ action, reason }: CarryOverRule): (subject: RuleSubject) => RuleOutcome {
  return (subject) => {
    const notes = foldersOf(subject.files).map(
      (file): FileNote => (action === 'drop' ? dropped(file, `It was removed: ${reason}.`) : kept(file)),
    );
    return { edits: action === 'drop' ? without(subject, subject.files) : new Map(), notes };
  };
}

/** Returns files, and one entry for each whole folder. Files directly in .github are listed separately, because they are unrelated. */
function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => (/^(\.github\/)?[^/]+$/.test(file) ? file : `${file.slice(0, file.lastIndexOf('/'))}/`)))];
}
