import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isDocument, isFixture } from '@tributary/references/file-kinds';
import type { FileReferences } from '@tributary/references/reference';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import type { EscapingPath, ReadingReason, UndeclaredImport } from './finding.js';
import {
  areCovered,
  type CheckedProject,
  carriesFiles,
  type Destination,
  declares,
  filesAt,
  findDestination,
  folderAt,
  hasOwnManifest,
  isReached,
  nameAt,
} from './project.js';

/**
 * Finds what a file reads of another workspace, or of a folder outside all workspaces, without an edge between the two or a rule that
 * covers it. One finding per name in the file, at its first line; in order. It sees only literal names: not those that a program assembles
 * at run time, and not what the other workspace reads in turn.
 */
export function findUndeclared(project: CheckedProject, file: FileReferences): readonly (UndeclaredImport | EscapingPath)[] {
  const from = owningMember(project.graph, file.path);
  if (from === undefined) return [];
  const seen = new Set<string>();
  return file.names.flatMap((name) => {
    if (seen.has(name.specifier)) return [];
    const reading: ImportOutside = { from, file: file.path, name };
    const finding = isRelative(name) ? findEscape(project, reading) : findImport(project, reading, targetNamed(project, name.specifier));
    if (finding === undefined) return [];
    seen.add(name.specifier);
    return [finding];
  });
}

/** Returns the index of the workspace that a module name leads to, if any: `@acme/ui/button` -> that of `@acme/ui`. */
export function targetNamed(project: CheckedProject, specifier: string): number | undefined {
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  return name === undefined ? undefined : project.byName.get(name);
}

/** Returns the destination of a relative name in a file. */
export function destinationOf(
  project: CheckedProject,
  from: number,
  written: { readonly file: RepoPath; readonly name: FileReferences['names'][number] },
): Destination {
  const { file, name } = written;
  const path = cleanPath(name.specifier);
  if (path.startsWith('/')) return fromRoot(project, from, path.slice(1));
  const base = 'base' in name ? name.base : parentFolder(file);
  const destination = findDestination(project, from, { base, path });
  if (name.form !== 'text' || leadsToFiles(project, destination)) return destination;
  // Text that is not an import may be relative to the folder in which a program starts.
  const fromFolder = findDestination(project, from, { base: folderAt(project, from), path });
  return leadsToFiles(project, fromFolder) ? fromFolder : { kind: 'inside' };
}

/** Resolves an absolute path. Some bundlers resolve `/packages/ui/a.js` from the project's root; on disk it leads anywhere. */
function fromRoot(project: CheckedProject, from: number, path: string): Destination {
  const destination = findDestination(project, from, { base: '', path });
  return leadsToFiles(project, destination) ? destination : { kind: 'inside' };
}

/** Tells whether a name is a path; otherwise it is a package name. */
export function isRelative(name: FileReferences['names'][number]): boolean {
  return name.form !== 'module' || /^\.{0,2}(\/|$)/.test(name.specifier);
}

interface ImportOutside {
  readonly from: number;
  readonly file: RepoPath;
  readonly name: FileReferences['names'][number];
}

function findImport(project: CheckedProject, reading: ImportOutside, target: number | undefined): UndeclaredImport | undefined {
  const { from, name } = reading;
  if (target === undefined || target === from || project.edges.has(`${from} ${target}`)) return undefined;
  const targetName = nameAt(project, target);
  if (declares(project, from, targetName) || areCovered(project, folderAt(project, target), nameAt(project, from))) return undefined;
  const isRoots = declares(project, 0, targetName);
  const { reason, severity } = judge(project, reading, { target });
  return {
    kind: 'undeclared-import',
    severity,
    workspace: nameAt(project, from),
    file: reading.file,
    line: name.line,
    specifier: name.specifier,
    reason,
    target: targetName,
    declaredBy: isRoots ? 'root' : 'nobody',
  };
}

function findEscape(project: CheckedProject, reading: ImportOutside): UndeclaredImport | EscapingPath | undefined {
  const destination = destinationOf(project, reading.from, reading);
  switch (destination.kind) {
    case 'inside':
      return undefined;
    case 'package':
      return findImport(project, reading, destination.target);
    case 'out-of-project':
      // Dots alone say where a program is after the build, but rarely what it reads.
      return reading.name.form === 'text' || /^[./]*$/.test(reading.name.specifier) ? undefined : describeEscape(project, reading, {});
    case 'several':
      return !namesAll(project, reading.from, { name: reading.name, path: destination.path }) ||
        areCovered(project, destination.path, nameAt(project, reading.from))
        ? undefined
        : describeEscape(project, reading, { path: destination.path });
    case 'elsewhere':
      return isSeen(project, reading.from, destination) ? undefined : describeEscape(project, reading, destination);
  }
}

/**
 * Tells whether a name of a folder with several workspaces reads them all: a pattern does, but a folder above the own one does not tell.
 */
export function namesAll(
  project: CheckedProject,
  from: number,
  { name, path }: { readonly name: FileReferences['names'][number]; readonly path: RepoFolder },
): boolean {
  return ('isPattern' in name && name.isPattern) || !isInside(folderAt(project, from), path);
}

/** Tells whether a change is covered or impossible: outside workspaces, only tracked files can change, not build output. */
function isSeen(project: CheckedProject, from: number, { path, target }: { readonly path: RepoFolder; readonly target: number }): boolean {
  if (carriesFiles(project, from, target)) return true;
  if (target === 0 && filesAt(project, path).length === 0) return true;
  return areCovered(project, path, nameAt(project, from));
}

function leadsToFiles(project: CheckedProject, destination: Destination): boolean {
  if (destination.kind === 'package') return true;
  return destination.kind === 'elsewhere' && filesAt(project, destination.path).length > 0;
}

function describeEscape(project: CheckedProject, reading: ImportOutside, to: Whereto): EscapingPath {
  const { reason, severity } = judge(project, reading, to);
  return {
    kind: 'escaping-path',
    severity,
    workspace: nameAt(project, reading.from),
    file: reading.file,
    line: reading.name.line,
    specifier: reading.name.specifier,
    reason,
    path: to.path,
    target: to.target === undefined ? undefined : nameAt(project, to.target),
  };
}

function judge(
  project: CheckedProject,
  reading: ImportOutside,
  to: Whereto,
): { readonly reason: ReadingReason; readonly severity: 'hole' | 'note' } {
  const reason = reasonOf(project, reading, to);
  return { reason, severity: reason === 'unseen' ? 'hole' : 'note' };
}

/** Neither is known for files outside the project. */
interface Whereto {
  readonly path?: RepoFolder;
  readonly target?: number;
}

function reasonOf(project: CheckedProject, reading: ImportOutside, to: Whereto): ReadingReason {
  const { from, file, name } = reading;
  // A name may be text that is only transformed, or another package.json may resolve it. A path to existing files is meant to be followed.
  if (to.path === undefined && isFixture(below(project, reading))) return 'fixture';
  if (to.path === undefined && hasOwnManifest(project, file, folderAt(project, from))) return 'own-manifest';
  if (to.path === undefined && to.target === undefined) return 'outside';
  if (from === 0 && ('key' in name || name.form === 'text')) return 'root-setting';
  if (to.path !== undefined && isDocument(to.path)) return 'document';
  return to.target !== undefined && isReached(project, from, to.target) ? 'reached' : 'unseen';
}

function below(project: CheckedProject, { from, file }: ImportOutside): string {
  return relativeTo(folderAt(project, from), file);
}

/** Removes what bundlers and test runners add: `?raw`, `<rootDir>/`. */
function cleanPath(specifier: string): string {
  return specifier.replace(/[?#].*$/s, '').replace(/^(<rootDir>|\$\{configDir\})\//, './');
}
