import type { Git } from '@tributary/git/git';
import { LOCKFILE_NAMES, type LockfileName, type LockfileText } from '@tributary/lockfile/lockfile';
import { type ErrorCode, isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId, WorkspaceName } from '@tributary/model/ids';
import { isInside, joinRepoPath, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';
import { isCovered } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { isManifest, manifestIn, type ProjectParts } from '../align/build-project.js';
import { brokenLock } from '../align/lock/broken.js';
import { readOldLock } from '../align/lock/old-lock.js';
import { readRootLock } from '../align/lock/root-lock.js';
import type { ImportedPackage, Monorepo } from '../align/project.js';
import { scriptsAbove, unlessInManifest } from '../carry-over/inherit.js';
import type { CarriedPackage, FormerRootRules } from '../carry-over/repository.js';
import { BLAME_FILE, blamedId } from '../carry-over/rules/blame.js';
import { fieldsIn } from '../fields.js';
import type { BranchBuilder } from '../history/branch.js';
import { readNewIds } from '../history/new-ids.js';
import type { CommitMap } from '../history/rewrite.js';
import { type RepositoryFiles, readRepositoryFiles, SUBMODULE } from '../io/repository-files.js';
import { type FormerRoot, inherit } from './former-root.js';
import { Workbench } from './workbench.js';

/** A package whose history is merged, before its clean-up. */
export interface WorkbenchPackage {
  readonly name: WorkspaceName;
  /** Relative to the root of the repository. */
  readonly path: RepoPath;
  /** The commit with its original files: the merge commit, or for a sync the imported tip. */
  readonly cameIn: CommitId;
  /** Files and folders that the clean-up removed, relative to the package's folder. */
  readonly cleanedUp: readonly string[];
  /** The new ids of its commits; `undefined` if they keep their ids. */
  readonly map: CommitMap | undefined;
  /** The address of the source. */
  readonly source: RepoUrl;
  /** `undefined` if it was a whole repository, or the root is not known any more. */
  readonly former: FormerRoot | undefined;
}

/** The branch whose imported packages are aligned. */
export interface WorkbenchOrder {
  /** Reads the objects of the monorepo, of all imported histories, and what the builder stores. */
  readonly view: Git;
  readonly root: RepoFolder;
  readonly packages: readonly WorkbenchPackage[];
  /** By the folder of a workspace with a placeholder version, relative to the folder of the root package.json. */
  readonly released: Monorepo['released'];
}

export const ROOT_LOCK = 'yarn.lock' as RepoPath;

/**
 * Reads what the alignment needs of a branch, which must be stored: the imported packages' original files, including
 * removed ones, the manifests of all workspaces, and the root's files. Throws `LOCKFILE_INVALID`, `LOCKFILE_MISMATCH`,
 * `MANIFEST_INVALID`.
 */
export async function openWorkbench(builder: BranchBuilder, order: WorkbenchOrder): Promise<Workbench> {
  const { view, root, packages } = order;
  const now = await readRepositoryFiles(view, builder.tip, wantedOf(root, packages));
  const came: CameFiles[] = [];
  for (const one of packages) came.push(await readCleanedUp(view, one));
  const inherited = packages.map((one, at) => inheritedBy(one, [...now.modes.keys(), ...(came[at]?.modes.keys() ?? [])], came[at]));
  const ofRoots = mergeMaps(inherited.map(({ texts }) => texts));
  const gone = new Set([...came.flatMap(({ modes }) => [...modes.keys()]), ...ofRoots.keys()]);
  const seen = { paths: [...now.modes.keys(), ...gone], texts: mergeMaps([now.texts, ...came.map((files) => files.texts), ofRoots]) };
  const parts = projectPartsOf({ ...seen, manifests: mergeMaps(came.map((files) => files.manifests)), inherited }, order);
  const outside = new Map(seen.paths.filter((path) => !isInside(path, root)).map((path) => [path, seen.texts.get(path)]));
  const links = mergeMaps([now.links, ...came.map((files) => files.links)]);
  const carried: CarriedPackage[] = [];
  for (const [at, one] of packages.entries())
    carried.push({ ...(await carriedPackage(view, one, { ...now, texts: seen.texts, links })), formerRoot: inherited[at]?.rules });
  refuseUnreadable(parts);
  const bench = new Workbench(builder, parts, { root, modes: now.modes, gone, outside, carried });
  refuseUnseen(bench.project);
  return bench;
}

/** Rejects a folder that a pattern with `!` excludes, although another pattern covers it. Throws `YARN_DISAGREES`. */
function refuseUnseen({ workspaces, importedPackages }: Monorepo): void {
  const unseen = importedPackages.find(({ path }) => !workspaces.some((workspace) => workspace.path === path));
  if (unseen === undefined) return;
  throw new ToolError({
    code: 'YARN_DISAGREES',
    message: `${unseen.name} in ${unseen.path} would not be a workspace: "workspaces" of the root package.json excludes that folder. The monorepo was not changed.`,
    hint: 'Remove the pattern with "!" that matches it, or choose another folder with --to.',
    data: { package: unseen.name, path: unseen.path },
  });
}

/**
 * Returns whether a file is needed: in the imported packages, in the folders above them, and in the root, where tools
 * look for shared settings; and every manifest.
 */
function wantedOf(root: RepoFolder, packages: readonly WorkbenchPackage[]): (path: RepoPath) => boolean {
  const above = new Set<RepoFolder>(['', root]);
  for (const { path } of packages)
    for (let folder = parentFolder(path); !above.has(folder); folder = parentFolder(folder)) above.add(folder);
  const isOfTools = (path: string): boolean => /^(?:\.github|\.gitlab|\.changeset|\.yarn\/patches)\/|^docs\/CODEOWNERS$/.test(path);
  return (path) =>
    above.has(parentFolder(path)) ||
    isOfTools(path) ||
    (isInside(path, root) && (isManifest(path) || isOfTools(relativeTo(root, path)))) ||
    packages.some((one) => isInside(path, one.path));
}

interface Inherited {
  /** By path in the monorepo. */
  readonly texts: ReadonlyMap<RepoPath, string>;
  readonly manifest: Manifest | undefined;
  readonly siblings?: ImportedPackage['siblings'];
  readonly rules: FormerRootRules | undefined;
}

/** Returns what a package gets from its former root. `paths`: files of the monorepo, the package's own among them. */
function inheritedBy({ former, name, path }: WorkbenchPackage, paths: readonly RepoPath[], came: CameFiles | undefined): Inherited {
  if (former === undefined) return { texts: new Map(), manifest: undefined, rules: undefined };
  const own = new Set(paths.filter((file) => isInside(file, path)).map((file) => relativeTo(path, file)));
  const { files, manifest, siblings, rules } = inherit(former, name, own);
  const texts = new Map([...files].map(([file, text]) => [joinRepoPath(path, file), text]));
  const ownManifest = fieldsIn(came?.manifests.get(joinRepoPath(path, 'package.json')));
  const settings = unlessInManifest(rules.settings, ownManifest);
  const scripts = scriptsAbove(manifest, { files: own, manifest: ownManifest });
  return { texts, manifest, siblings, rules: { ...rules, settings, scripts, inherited: new Set(texts.keys()) } };
}

interface CameFiles extends RepositoryFiles {
  /** The text of the original package.json. */
  readonly manifests: ReadonlyMap<RepoPath, string>;
}

/** Returns the original files that the clean-up removed, and the original manifest. */
async function readCleanedUp(view: Git, { cameIn, path, cleanedUp }: WorkbenchPackage): Promise<CameFiles> {
  const manifest = joinRepoPath(path, 'package.json');
  const isCleanedUp = (file: RepoPath): boolean => cleanedUp.some((away) => isInside(file, joinRepoPath(path, away)));
  const files = await readRepositoryFiles(view, cameIn, (file) => file === manifest || isCleanedUp(file));
  const only = <Value>(map: ReadonlyMap<RepoPath, Value>): ReadonlyMap<RepoPath, Value> =>
    new Map([...map].filter(([file]) => isCleanedUp(file)));
  const manifests = new Map([[manifest, files.texts.get(manifest) ?? '']]);
  return { modes: only(files.modes), texts: only(files.texts), links: only(files.links), manifests };
}

function mergeMaps<Value>(maps: readonly ReadonlyMap<RepoPath, Value>[]): ReadonlyMap<RepoPath, Value> {
  return new Map(maps.flatMap((map) => [...map]));
}

function projectPartsOf(
  seen: {
    readonly paths: readonly RepoPath[];
    readonly texts: ReadonlyMap<RepoPath, string>;
    readonly manifests: ReadonlyMap<RepoPath, string>;
    /** In the order of the packages. */
    readonly inherited: readonly Inherited[];
  },
  { root, packages, released }: Omit<WorkbenchOrder, 'view'>,
): ProjectParts {
  const inside = seen.paths.filter((path) => isInside(path, root));
  const texts = new Map([...seen.texts].filter(([path]) => isInside(path, root)).map(([path, text]) => [below(root, path), text]));
  const paths = new Set(inside.map((path) => below(root, path)));
  return {
    paths,
    texts,
    importedPackages: packages.map(({ name, path, former }, at) => {
      const from = former === undefined ? undefined : { folder: former.folder, manifest: seen.inherited[at]?.manifest };
      const isInherited = (file: RepoPath): boolean => seen.inherited[at]?.texts.has(joinRepoPath(root, file)) === true;
      const text = seen.manifests.get(joinRepoPath(path, 'package.json')) ?? '';
      const found = importedPackageAt({ name, path: below(root, path), text, from, isInherited }, { texts, paths });
      return { ...found, siblings: seen.inherited[at]?.siblings };
    }),
    rootLock: readRootLock(texts.get(ROOT_LOCK) ?? ''),
    released,
  };
}

function below(root: RepoFolder, path: RepoPath): RepoPath {
  return relativeTo(root, path) as RepoPath;
}

async function carriedPackage(view: Git, { name, path, map, source }: WorkbenchPackage, files: RepositoryFiles): Promise<CarriedPackage> {
  const blamed = (files.texts.get(joinRepoPath(path, BLAME_FILE)) ?? '').split('\n').flatMap((line) => blamedId(line) ?? []);
  return {
    name,
    path,
    links: new Map([...files.links].filter(([link]) => isInside(link, path))),
    submodules: [...files.modes].flatMap(([file, mode]) => (mode === SUBMODULE && isInside(file, path) ? [file] : [])),
    source: source.kind === 'remote' && !source.toString().startsWith('file:') ? source.toString() : undefined,
    newIds: await readNewIds(view, [...new Set(blamed)] as ObjectId[], map),
  };
}

interface PackageText extends Pick<ImportedPackage, 'name' | 'path'> {
  /** Its original package.json, which matches its lockfile. */
  readonly text: string;
  readonly from: { readonly folder: RepoPath; readonly manifest: Manifest | undefined } | undefined;
  /** Whether a file lay at its former root. */
  readonly isInherited: (file: RepoPath) => boolean;
}

/** Returns the imported package at a path. */
function importedPackageAt(
  { name, path, text, from, isInherited }: PackageText,
  { texts, paths }: Pick<ProjectParts, 'texts' | 'paths'>,
): ImportedPackage {
  const manifest = parseManifest(text, manifestIn(path));
  const own = [...texts].filter(([file]) => isInside(file, path) && !isInherited(file));
  const root = from?.manifest;
  const shared =
    from === undefined || root === undefined || !LOCKFILE_NAMES.some((file) => isInherited(joinRepoPath(path, file)))
      ? undefined
      : { folder: from.folder, root, isNamed: (name: string) => own.some(([, content]) => content.includes(name)) };
  const readLock = (file: LockfileName): LockfileText[] => {
    const place = joinRepoPath(path, file);
    const lock = texts.get(place);
    if (lock === undefined && paths.has(place)) throw brokenLock(file, 'it is a link, or not UTF-8 text');
    return lock === undefined || isEmpty(lock) ? [] : [{ name: file, text: lock }];
  };
  const oldLock = readLockOf(name, () => readOldLock(LOCKFILE_NAMES.flatMap(readLock), manifest, shared));
  return { name, path, manifest, oldLock, formerRoot: root };
}

/** Files that Yarn reads at the root, with the error code for an unreadable one. */
const CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['.yarnrc.yml', 'CONFIG_INVALID'],
  ['yarn.lock', 'LOCKFILE_INVALID'],
]);

/** Rejects unreadable manifests, settings and lockfiles: the alignment would treat them as missing. */
function refuseUnreadable({ paths, texts }: ProjectParts): void {
  const root = parseManifest(texts.get('package.json' as RepoPath) ?? '', 'package.json');
  const isRead = (path: string): boolean => CODES.has(path) || (isManifest(path) && isCovered(root, parentFolder(path)));
  const unread = [...paths].find((path) => isRead(path) && !texts.has(path));
  if (unread === undefined) return;
  throw new ToolError({
    code: CODES.get(unread) ?? 'MANIFEST_INVALID',
    message: `${unread} of the monorepo cannot be read: it is a link, or not UTF-8.`,
    hint: 'Save it as a file in UTF-8 and commit it. Or import only the history, with --no-align.',
    data: { file: unread },
  });
}

/** Whether a lockfile has only comments. Its purpose is then to make Yarn treat the folder as a separate project. */
function isEmpty(lock: string): boolean {
  return lock.replace(/^#.*$/gm, '').trim() === '';
}

/** Adds the package to errors about its lockfile. */
function readLockOf<Lock>(name: WorkspaceName, read: () => Lock): Lock {
  try {
    return read();
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { code, data, hint = '' } = error;
    const message = `The lockfile of ${name} cannot be used: ${error.message}`;
    const about = { ...data, workspace: { name } };
    throw new ToolError({ code, message, hint: `${hint} Or import only the history, with --no-align.`.trim(), data: about, cause: error });
  }
}
