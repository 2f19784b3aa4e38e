import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import { isCodeFile, isDocument, isFixture } from '../check/file-kinds.js';
import { isCountedTest } from '../plan/runner.js';
import type { Draw } from './draw.js';
import { mutateText } from './mutate.js';

/** What is changed: code or other files of a workspace, files outside of all workspaces, or the version of a package. */
export type MutantKind = 'source' | 'data' | 'support' | 'package';

/** A package of the registry that is installed in the root's `node_modules`. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

/** One change that a test may notice. */
export interface Mutant {
  readonly kind: MutantKind;
  readonly file: RepoPath;
  /** From 1; `null` of a package. */
  readonly line: number | null;
  /** The line, or the package with its version. */
  readonly before: string;
  readonly after: string;
  /** A package whose installed files have to fail. */
  readonly breaks: InstalledPackage | undefined;
}

/** What may be changed. Lists are ordered. */
export interface Targets {
  readonly files: Readonly<Record<Exclude<MutantKind, 'package'>, readonly RepoPath[]>>;
  readonly packages: readonly InstalledPackage[];
  /** Files and packages that tests are known to use; `undefined` if nothing is known. */
  readonly observed: { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } | undefined;
  /** The content of a file; `undefined` for one that is too large or no text. */
  readonly read: (path: RepoPath) => string | undefined;
}

/** How often each kind is drawn, of ten. */
const SHARES: Readonly<Record<MutantKind, number>> = { source: 5, data: 2, support: 2, package: 1 };
/** Observations spare nobody after another change than one of a root file or of a package. */
const WITH_OBSERVATIONS: typeof SHARES = { source: 2, data: 1, support: 4, package: 3 };
const ATTEMPTS = 100;

/** Draws a mutant. A kind without a target is passed over. `undefined`: nothing can be changed. */
export function drawMutant(targets: Targets, draw: Draw): Mutant | undefined {
  const shares = targets.observed === undefined ? SHARES : WITH_OBSERVATIONS;
  const kinds = (Object.keys(shares) as readonly MutantKind[]).flatMap((kind) => Array.from({ length: shares[kind] }, () => kind));
  const there = kinds.filter((kind) => (kind === 'package' ? targets.packages : targets.files[kind]).length > 0);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const kind = draw.pick(there);
    if (kind === undefined) return undefined;
    const mutant = kind === 'package' ? ofPackage(targets, draw) : ofFile(kind, targets, draw);
    if (mutant !== undefined) return mutant;
  }
  return undefined;
}

/** Of so many drawn files or packages that no test is known to use, one is changed: tests rarely notice it. */
const UNREAD = 10;

function isPassedOver(name: string | undefined, used: ReadonlySet<string> | undefined, draw: Draw): boolean {
  return name !== undefined && used?.has(name) === false && draw.below(UNREAD) > 0;
}

function ofFile(kind: Exclude<MutantKind, 'package'>, { files, observed, read }: Targets, draw: Draw): Mutant | undefined {
  const file = draw.pick(files[kind]);
  if (isPassedOver(file, observed?.files, draw)) return undefined;
  const text = file === undefined ? undefined : read(file);
  const made = file === undefined || text === undefined ? undefined : mutateText(file, text, draw);
  return file === undefined || made === undefined ? undefined : { kind, file, ...made, breaks: undefined };
}

const LOCK = 'yarn.lock' as RepoPath;

/** The lockfile names another version. */
function ofPackage({ packages, observed, read }: Targets, draw: Draw): Mutant | undefined {
  const one = draw.pick(packages);
  if (isPassedOver(one?.name, observed?.packages, draw)) return undefined;
  const lock = read(LOCK);
  if (one === undefined || lock === undefined) return undefined;
  const about = { line: null, before: `${one.name} ${one.version}`, after: `${one.name} ${laterThan(one)}`, breaks: one };
  return withLaterVersion(lock, one) === lock ? undefined : { kind: 'package', file: LOCK, ...about };
}

/** A file with the change. Changes of other places of it may have been made before. */
export function changedText(text: string, { line, after, breaks }: Mutant): string {
  if (breaks !== undefined) return withLaterVersion(text, breaks);
  return line === null
    ? text
    : text
        .split('\n')
        .with(line - 1, after)
        .join('\n');
}

/** Two changes of one place cannot be made at once. */
export function placeOf({ file, line, breaks }: Mutant): string {
  return `${file} ${line ?? breaks?.name}`;
}

function laterThan({ version }: InstalledPackage): string {
  return version.replace(/\d+/, (major) => String(Number(major) + 1000));
}

/** Yarn writes an entry as one block, with a blank line after it. */
function withLaterVersion(lock: string, one: InstalledPackage): string {
  const { name, version } = one;
  const to = laterThan(one);
  const resolution = `resolution: "${name}@npm:${version}"`;
  return lock
    .split('\n\n')
    .map((block) =>
      block.includes(resolution)
        ? block.replace(`version: ${version}\n`, `version: ${to}\n`).replace(resolution, `resolution: "${name}@npm:${to}"`)
        : block,
    )
    .join('\n\n');
}

/** They are compared key by key, or decide how everything runs: without them nothing would start. */
const SETTINGS = /(^|\/)(package\.json|yarn\.lock|turbo\.jsonc?|tributary\.json)$|(^|\/)\./;

/** Sorts the tracked files that may be changed. Tests, documents and hidden files are left out. */
export function targetFiles(tracked: readonly RepoPath[], graph: DependencyGraph): Targets['files'] {
  const files: Record<Exclude<MutantKind, 'package'>, RepoPath[]> = { source: [], data: [], support: [] };
  const root = graph.byPath.get('' as RepoFolder);
  for (const path of [...tracked].sort()) {
    if (SETTINGS.test(path) || isDocument(path)) continue;
    const owner = ownerPlace(graph, path);
    const folder = owner === undefined || owner === root ? undefined : graph.members[owner]?.path;
    if (folder === undefined) files.support.push(path);
    else if (!isCountedTest(path.slice(folder.length + 1))) files[isCodeFile(path) && !isFixture(path) ? 'source' : 'data'].push(path);
  }
  return files;
}
