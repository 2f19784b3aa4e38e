import { createHash } from 'node:crypto';
import type { Git } from '@tributary/git/git';
import { fetchMissing } from '@tributary/git/missing-objects';
import { readNamedBlobs } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Cache } from '@tributary/process/cache';
import { isCodeFile, isSettingsFile } from '@tributary/references/file-kinds';
import { push } from '@tributary/references/groups';
import { type Collected, collectReferences, type Owner, type OwnReferences, scopeOf } from '@tributary/references/own-references';
import { readReferences } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { buildReferenceMap, type ReferenceMap } from '@tributary/references/reference-map';
import { opaqueFile } from '@tributary/references/scan-file';
import { buildTree } from '@tributary/references/tree';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { RepoLocation } from '../io/locate.js';
import { listTracked, streamTexts, type TrackedFile } from '../io/tracked-files.js';

/** A commit or tree, with the workspaces in it. */
export interface ReferenceSource {
  readonly git: Git;
  readonly repository: Pick<RepoLocation, 'project'>;
  readonly commit: string;
  readonly graph: DependencyGraph;
}

/** What `readReferenceMap` may be asked in addition. */
interface Reading {
  /** Shared by the commits of an answer; the caller saves it. By default, what was read before is neither used nor kept. */
  readonly cache?: Cache<OwnReferences> | undefined;
  /** The kind of the task of the answer (default: `test`). */
  readonly kind?: TaskKind;
  /** Called for each source that is read. */
  readonly look?: ((file: FileReferences) => void) | undefined;
  /** Called when all are read. */
  readonly whenRead?: () => void;
}

/** A workspace, or a file outside of all, whose sources are read together. */
interface Unit {
  /** By index; -1 for a file outside of all workspaces. */
  readonly member: number;
  readonly owner: Owner;
  readonly files: readonly TrackedFile[];
  readonly key: string;
}

/** What is known of who refers to what in a commit. */
export interface ReferencesRead {
  readonly map: ReferenceMap;
  /** The sources and symbolic links that this clone lacks. In the map, such a source may refer to anything, and such a link leads nowhere. */
  readonly missing: readonly RepoPath[];
}

/**
 * Reads who refers to what in a commit. What a partial clone lacks is fetched in one request, if git may fetch. Throws `GIT_FAILED`.
 */
export async function readReferenceMap(
  source: ReferenceSource,
  { look, whenRead, cache, kind = 'test' }: Reading = {},
): Promise<ReferencesRead> {
  const { git, repository, commit, graph } = source;
  const tracked = await listTracked(git, commit, repository.project);
  const root = graph.byPath.get('') ?? -1;
  const units = unitsOf(graph, root, tracked);
  const known = cache === undefined ? new Map<string, OwnReferences>() : findKnown(cache, units);
  const rest = units.filter(({ key }) => !known.has(key));
  const files = rest.flatMap((unit) => unit.files);
  const links = tracked.filter(({ kind }) => kind === 'link');
  // In a whole clone, reading a link tells whether it is missing. So git is not asked where every source is known.
  const missing = await fetchMissing(git, idsOf(git.isPartial === true ? [...links, ...files] : files));
  const found = await readUnits(git, rest, { missing, look, cache });
  const targets = await readLinks(git, links, missing);
  const paths = tracked.map(({ path }) => path);
  whenRead?.();
  const map = buildReferenceMap(buildTree(graph, paths, targets), collect(units, root, new Map([...known, ...found])), kind);
  const unknown = [...links.filter(({ path }) => !targets.has(path)), ...files.filter(({ id }) => missing.has(id))];
  return { map, missing: unknown.map(({ path }) => path) };
}

function idsOf(files: readonly TrackedFile[]): readonly ObjectId[] {
  return files.map(({ id }) => id);
}

function findKnown(cache: Cache<OwnReferences>, units: readonly Unit[]): ReadonlyMap<string, OwnReferences> {
  const known = new Map<string, OwnReferences>();
  for (const { key } of units) {
    const own = cache.get(key);
    if (own !== undefined) known.set(key, own);
  }
  return known;
}

function collect(units: readonly Unit[], root: number, found: ReadonlyMap<string, OwnReferences>): Collected {
  const workspaces = new Map<number, OwnReferences>();
  const rootFiles = new Map<string, OwnReferences>();
  for (const { member, files, key } of units) {
    const own = found.get(key) ?? NOTHING;
    const [file] = files;
    if (member >= 0) workspaces.set(member, own);
    else if (file !== undefined) rootFiles.set(file.path, own);
  }
  const manifest = rootFiles.get('package.json')?.manifest;
  if (manifest !== undefined) workspaces.set(root, { ...NOTHING, manifest });
  return { workspaces, rootFiles };
}

const NOTHING: OwnReferences = { packages: [], paths: [], files: [], extended: [] };

function unitsOf(graph: DependencyGraph, root: number, tracked: readonly TrackedFile[]): readonly Unit[] {
  const byMember = new Map<number, TrackedFile[]>();
  const manifests = new Map<number, string[]>();
  const rest: TrackedFile[] = [];
  for (const file of tracked) {
    if (file.kind === 'link' || !(isCodeFile(file.path) || isSettingsFile(file.path))) continue;
    const member = owningMember(graph, file.path) ?? root;
    if (/(^|\/)package\.json$/.test(file.path) && !graph.byPath.has(parentFolder(file.path)))
      push(manifests, member, parentFolder(file.path));
    if (member === root) rest.push(file);
    else push(byMember, member, file);
  }
  const nested = nestedFolders(graph);
  const otherManifests = new Set(manifests.get(root));
  const entries = new Set(tracked.map(({ path }) => path.split('/', 1)[0] ?? ''));
  return [
    ...[...byMember].map(([member, files]) => {
      const folder = graph.members[member]?.path ?? ('' as RepoFolder);
      return unitOf(member, { folder, nested: nested.get(folder) ?? [], otherManifests: new Set(manifests.get(member)), entries }, files);
    }),
    ...rest.map((file) => unitOf(-1, { folder: undefined, nested: [], otherManifests, entries }, [file])),
  ];
}

/** Returns, by the folder of a workspace, those inside of it. */
function nestedFolders({ byPath }: DependencyGraph): ReadonlyMap<string, readonly RepoFolder[]> {
  const nested = new Map<string, RepoFolder[]>();
  for (const path of byPath.keys())
    for (let folder = parentFolder(path); folder !== ''; folder = parentFolder(folder)) if (byPath.has(folder)) push(nested, folder, path);
  return nested;
}

/** The key stands for everything that the references of a unit depend on. */
function unitOf(member: number, owner: Owner, files: readonly TrackedFile[]): Unit {
  const hash = createHash('sha1').update(JSON.stringify([owner.folder, owner.nested, [...owner.otherManifests], [...owner.entries]]));
  for (const { path, id } of files) hash.update(`${id} ${path}\0`);
  return { member, owner, files, key: hash.digest('base64') };
}

interface Sources {
  /** The objects that this clone lacks. */
  readonly missing: ReadonlySet<ObjectId>;
  readonly look: Reading['look'];
  readonly cache: Cache<OwnReferences> | undefined;
}

async function readUnits(git: Git, units: readonly Unit[], { missing, look, cache }: Sources): Promise<ReadonlyMap<string, OwnReferences>> {
  const found = new Map<string, OwnReferences>();
  const wanted = units.flatMap((unit) => unit.files.map((file) => ({ unit, file })));
  let read: FileReferences[] = [];
  let at = 0;
  for await (const { file, text } of streamTexts(
    git,
    wanted.map(({ file: one }) => one),
    missing,
  )) {
    const unit = wanted[at++]?.unit;
    if (unit === undefined) continue;
    const references = text === undefined ? opaqueFile(file.path) : readReferences(file.path, text, scopeOf(unit.owner));
    look?.(references);
    read.push(references);
    if (unit.files.at(-1) !== file) continue;
    const own = collectReferences(unit.owner, read);
    read = [];
    found.set(unit.key, own);
    // What is missing today may be there tomorrow.
    if (!unit.files.some(({ id }) => missing.has(id))) cache?.add(unit.key, own);
  }
  return found;
}

/** Returns the targets of symbolic links, without those that are missing. */
async function readLinks(git: Git, links: readonly TrackedFile[], missing: ReadonlySet<ObjectId>): Promise<ReadonlyMap<string, string>> {
  const present = links.filter(({ id }) => !missing.has(id));
  const texts = await readNamedBlobs(git, idsOf(present));
  const targets = new Map<string, string>();
  for (const [at, { path }] of present.entries()) {
    const text = texts[at];
    if (text !== undefined) targets.set(path, text.toString('utf8'));
  }
  return targets;
}
