import type { Git } from '@tributary/git/git';
import { readNamedBlobs } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import { isInside, type RepoFolder, relativeTo } from '@tributary/model/paths';
import { discoverInRounds, type Workspace } from '@tributary/workspaces/discover';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { parseTracked, type TrackedFile } from './tracked-files.js';

/** A project at a commit, read from its manifests. */
export interface ProjectFiles {
  readonly workspaces: readonly Workspace[];
  /** Submodules and symbolic links, whose content is not visible here. */
  readonly hidden: readonly RepoFolder[];
  /** Whether the root has a lockfile of Yarn or npm. */
  readonly hasLockfile: boolean;
  /** Each manifest that was read, by blob id. */
  readonly manifests: ReadonlyMap<ObjectId, Manifest>;
  /** Returns the tracked files of the project, all or those that match, in git's order, without submodules. */
  readonly tracked: (isWanted?: RegExp) => readonly TrackedFile[];
}

/**
 * Reads the workspaces of a project at a commit from their manifests, without the working tree. Manifests that another commit shares come
 * from `other`. `listing` is that of `listCommit`. Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`,
 * `PACKAGE_MANAGER_UNSUPPORTED`.
 */
export async function readProject(
  git: Git,
  project: RepoFolder,
  { listing, other }: { readonly listing: string; readonly other: ProjectFiles | undefined },
): Promise<ProjectFiles> {
  const hasLockfile = lockfileIn(listing, project);
  const listed = findManifests(listing, project);
  if (git.isPartial === true) {
    const { fetchMissing } = await import('@tributary/git/missing-objects');
    await fetchMissing(git, [...listed.manifests.values(), ...listed.links.map(({ id }) => id)]);
  }
  const { manifests: ids, hidden } = await followLinks(git, listing, listed);
  const manifests = new Map(other?.manifests);
  const search = discoverInRounds([...ids.keys()]);
  let round = search.next();
  while (round.done !== true) {
    const wanted = round.value.map((folder) => ({ folder, id: ids.get(folder) as ObjectId }));
    await readManifests(git, wanted, manifests);
    round = search.next(wanted.flatMap(({ id }) => manifests.get(id) ?? []));
  }
  return { workspaces: round.value, hidden, hasLockfile, manifests, tracked: (isWanted) => parseTracked(listing, project, isWanted) };
}

const READABLE = ['yarn.lock', 'package-lock.json', 'npm-shrinkwrap.json'];
const OTHERS = { 'pnpm-workspace.yaml': 'pnpm', 'bun.lock': 'Bun', 'bun.lockb': 'Bun' };

/** Rejects other package managers, which declare workspaces differently: an answer with only the root would be wrong. */
function lockfileIn(listing: string, project: RepoFolder): boolean {
  const has = (file: string): boolean => listing.includes(`\t${project === '' ? '' : `${project}/`}${file}\0`);
  const [file, manager] = Object.entries(OTHERS).find(([name]) => has(name)) ?? [];
  if (file === undefined || READABLE.some(has)) return READABLE.some(has);
  throw new ToolError({
    code: 'PACKAGE_MANAGER_UNSUPPORTED',
    message: `This monorepo uses ${manager} (${file}).`,
    hint: 'affected supports Yarn (yarn.lock) and npm (package-lock.json).',
    data: { file },
  });
}

/** Adds the missing manifests. */
async function readManifests(
  git: Git,
  wanted: readonly { readonly folder: RepoFolder; readonly id: ObjectId }[],
  manifests: Map<ObjectId, Manifest>,
): Promise<void> {
  const missing = wanted.filter(({ id }) => !manifests.has(id));
  const blobs = await readNamedBlobs(
    git,
    missing.map(({ id }) => id),
  );
  for (const [at, { folder, id }] of missing.entries()) {
    const blob = blobs[at];
    if (blob === undefined) throw new ToolError({ code: 'GIT_FAILED', message: `The object ${id} is missing in the repository.` });
    const text = blob.toString('utf8');
    manifests.set(id, parseManifest(text, folder === '' ? 'package.json' : `${folder}/package.json`));
  }
}

interface Listed {
  /** By folder. */
  readonly manifests: ReadonlyMap<RepoFolder, ObjectId>;
  readonly hidden: readonly RepoFolder[];
}

interface ListedWithLinks extends Listed {
  /** Manifests that are symbolic links: paths relative to the repository. */
  readonly links: readonly { readonly folder: RepoFolder; readonly path: string; readonly id: ObjectId }[];
}

/** Replaces a manifest that is a link by the file of the same commit that it leads to. A link to anything else hides its folder. */
async function followLinks(git: Git, listing: string, { links, manifests, hidden }: ListedWithLinks): Promise<Listed> {
  if (links.length === 0) return { manifests, hidden };
  const texts = await readNamedBlobs(
    git,
    links.map(({ id }) => id),
  );
  const found = links.map(({ folder, path }, at) => {
    const target = resolveFolder(parentFolder(path), texts[at]?.toString('utf8') ?? '/');
    const [line] = target === undefined ? [] : linesWith(listing, `\t${target}\0`);
    return { folder, id: line?.startsWith('100') === true ? idIn(line) : undefined };
  });
  return {
    manifests: new Map([...manifests, ...found.flatMap(({ folder, id }) => (id === undefined ? [] : [[folder, id] as const]))]),
    hidden: [...hidden, ...found.flatMap(({ folder, id }) => (id === undefined ? [folder] : []))],
  };
}

function idIn(line: string): ObjectId {
  return line.slice(line.lastIndexOf(' ', line.indexOf('\t')) + 1, line.indexOf('\t')) as ObjectId;
}

/**
 * Finds manifests in lines of the form `<mode> <type> <id>\t<path>`. It skips those of other files, tens of thousands, without splitting
 * them.
 */
function findManifests(listing: string, project: RepoFolder): ListedWithLinks {
  const manifests = new Map<RepoFolder, ObjectId>();
  const links: ListedWithLinks['links'][number][] = [];
  for (const line of linesWith(listing, 'package.json\0')) {
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1);
    if (!/^1[02]0/.test(line) || !isInside(path, project)) continue;
    const seen = relativeTo(project, path);
    if (!/(^|\/)package\.json$/.test(seen) || /(^|\/)node_modules\//.test(seen)) continue;
    const folder = parentFolder(seen);
    if (line.startsWith('100')) manifests.set(folder, idIn(line));
    else links.push({ folder, path, id: idIn(line) });
  }
  const hidden = ['160000 ', '120000 '].flatMap((mode) => [...linesWith(listing, mode)].filter((line) => line.startsWith(mode)));
  const paths = hidden.map((line) => line.slice(line.indexOf('\t') + 1)).filter((path) => isInside(path, project));
  return { manifests, links, hidden: paths.map((path) => relativeTo(project, path) as RepoFolder) };
}

/** Yields the lines that contain a text, without their NUL. */
function* linesWith(listing: string, text: string): Generator<string> {
  for (let at = listing.indexOf(text); at >= 0; ) {
    const end = listing.indexOf('\0', at);
    yield listing.slice(listing.lastIndexOf('\0', at) + 1, end);
    at = listing.indexOf(text, end);
  }
}
