import { withoutScope } from '@tributary/model/ids';
import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import picomatch from 'picomatch';
import type { StepOutcome } from '../align/project.js';
import { Draft } from '../edit/draft.js';
import { changedAttributes } from './changed-attributes.js';
import { hiddenFiles } from './hidden-files.js';
import { linkFindings } from './links.js';
import type { ArrivedPackage, CarryOverRepository } from './repository.js';
import { type CarryOverFinding, type CarryOverRule, dropped, kept, type Note, type RuleOutcome, type Subject, without } from './rule.js';
import { CARRY_OVER_RULES } from './table.js';

/**
 * Decides about every file at the top of each imported package, and about those in folders that the table names, by the first rule that matches; what lies in other
 * folders stays, and nothing is said of it. Findings are in the order of the imported packages, then of the table; what depends on the place alone comes last. Done again on its own result it changes nothing.
 */
export function carryOver(repository: CarryOverRepository): StepOutcome<CarryOverFinding> {
  const draft = new Draft(repository.files);
  const findings = repository.importedPackages.flatMap((importedPackage) => carryImportedPackage({ repository, importedPackage, draft }));
  const { importedPackages } = repository;
  const ofGit = [...hiddenFiles(draft, importedPackages), ...changedAttributes(draft, importedPackages)];
  return { edits: draft.edits, findings: [...findings, ...linkFindings(repository, draft), ...ofGit] };
}

interface CarryOverContext {
  readonly repository: CarryOverRepository;
  readonly importedPackage: ArrivedPackage;
  readonly draft: Draft;
}

function carryImportedPackage({ repository, importedPackage, draft }: CarryOverContext): readonly CarryOverFinding[] {
  const found = filesByRule(repository, importedPackage);
  return CARRY_OVER_RULES.flatMap((rule) => {
    const files = found.get(rule);
    if (files === undefined) return [];
    const read = (file: string): string | undefined => draft.read(`${importedPackage.path}/${file}` as RepoPath);
    const subject: Subject = { importedPackage, shortName: withoutScope(importedPackage.name), files, read, monorepo: draft, repository };
    const { edits, notes } = (rule.apply ?? byDefault(rule))(subject);
    draft.apply(edits);
    return notes.map((note) => ({ ...note, importedPackage: importedPackage.name, rule: rule.title, reason: rule.reason }));
  });
}

/** The rules that have a file at the imported package, each with its files in their order. */
function filesByRule({ files: all }: CarryOverRepository, importedPackage: ArrivedPackage): ReadonlyMap<CarryOverRule, readonly string[]> {
  const found = new Map<CarryOverRule, string[]>();
  const unreadable = new Set<string>([...importedPackage.links.keys(), ...importedPackage.submodules]);
  for (const path of all.paths) {
    if (!isInside(path, importedPackage.path)) continue;
    const file = relativeTo(importedPackage.path, path);
    const rule = ruleFor(file);
    // A link says nothing that could be merged or compared; it can be taken away.
    const isUseless = unreadable.has(path) && (rule?.action !== 'drop' || rule.apply !== undefined);
    if (rule === undefined || isUseless) continue;
    const files = found.get(rule);
    if (files === undefined) found.set(rule, [file]);
    else files.push(file);
  }
  return found;
}

const TESTS = CARRY_OVER_RULES.map((rule) => ({ rule, test: picomatch([...rule.matches], { dot: true, nocase: true }) }));

/** Folders that patterns begin with: what lies in others need not be matched, and there may be thousands. */
const FOLDERS: ReadonlySet<string> = new Set(
  CARRY_OVER_RULES.flatMap(({ matches }) => matches.flatMap((glob) => (glob.includes('/') ? [glob.slice(0, glob.indexOf('/'))] : []))),
);

/** The first rule that matches a path from the imported package's folder; `undefined` for what lies in a folder that no rule names. */
export function ruleFor(file: string): CarryOverRule | undefined {
  const slash = file.indexOf('/');
  if (slash !== -1 && !FOLDERS.has(file.slice(0, slash).toLowerCase())) return undefined;
  return TESTS.find(({ test }) => test(file))?.rule;
}

function byDefault({ action, reason }: CarryOverRule): (subject: Subject) => RuleOutcome {
  return (subject) => {
    const notes = foldersOf(subject.files).map(
      (file): Note => (action === 'drop' ? dropped(file, `It was removed: ${reason}.`) : kept(file)),
    );
    return { edits: action === 'drop' ? without(subject, subject.files) : new Map(), notes };
  };
}

/** A whole folder as one, but for what lies in .github itself, where files have nothing to do with each other. */
function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => (/^(\.github\/)?[^/]+$/.test(file) ? file : `${file.slice(0, file.lastIndexOf('/'))}/`)))];
}
