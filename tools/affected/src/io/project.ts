import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { isInside, type RepoFolder, relativeTo } from '@tributary/model/paths';
import { discoverInRounds, type Workspace } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { parseTracked, type TrackedFile } from './tracked-files.js';

/** What a commit says of a project, read from its manifests. */
export interface ProjectFiles {
  readonly workspaces: readonly Workspace[];
  /** Submodules and symbolic links: what is behind them cannot be seen from here. */
  readonly hidden: readonly RepoFolder[];
  /** By the id of its blob, each manifest that was read. */
  readonly manifests: ReadonlyMap<ObjectId, Manifest>;
  /** Everything that is tracked below the project, in the order of git; submodules are left out. */
  readonly tracked: () => readonly TrackedFile[];
}

/**
 * Reads the workspaces of a project at a commit out of their manifests; the work tree is not looked at. Manifests that another commit has
 * too are taken from `other`. Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`.
 */
export async function readProject(
  git: Git,
  { commit, project }: { readonly commit: string; readonly project: RepoFolder },
  other?: ProjectFiles,
): Promise<ProjectFiles> {
  const listing = (await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('utf8');
  const { manifests: ids, hidden } = findManifests(listing, project);
  const manifests = new Map(other?.manifests);
  const search = discoverInRounds([...ids.keys()]);
  let round = search.next();
  while (round.done !== true) {
    const wanted = round.value.map((folder) => ({ folder, id: ids.get(folder) as ObjectId }));
    await readManifests(git, wanted, manifests);
    round = search.next(wanted.flatMap(({ id }) => manifests.get(id) ?? []));
  }
  return { workspaces: round.value, hidden, manifests, tracked: () => parseTracked(listing, project) };
}

/** Adds those that are missing. */
async function readManifests(
  git: Git,
  wanted: readonly { readonly folder: RepoFolder; readonly id: ObjectId }[],
  manifests: Map<ObjectId, Manifest>,
): Promise<void> {
  const missing = wanted.filter(({ id }) => !manifests.has(id));
  const blobs = await readObjects(
    git,
    missing.map(({ id }) => id),
  );
  for (const [at, { folder, id }] of missing.entries()) {
    const text = blobs[at]?.content.toString('utf8') ?? '';
    manifests.set(id, parseManifest(text, folder === '' ? 'package.json' : `${folder}/package.json`));
  }
}

interface Listed {
  /** By folder. */
  readonly manifests: ReadonlyMap<RepoFolder, ObjectId>;
  readonly hidden: readonly RepoFolder[];
}

/** Lines are `<mode> <type> <id>\t<path>`; most are of other files, and are not looked at further. */
function findManifests(listing: string, project: RepoFolder): Listed {
  const manifests = new Map<RepoFolder, ObjectId>();
  const hidden: RepoFolder[] = [];
  for (const line of listing.split('\0')) {
    const isManifest = line.endsWith('package.json');
    const isHidden = line.startsWith('160000') || line.startsWith('120000');
    if (!isManifest && !isHidden) continue;
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1);
    if (!isInside(path, project)) continue;
    const seen = relativeTo(project, path);
    if (isHidden) hidden.push(seen as RepoFolder);
    else if (/(^|\/)package\.json$/.test(seen) && line.startsWith('100') && !/(^|\/)node_modules\//.test(seen))
      manifests.set(parentFolder(seen), line.slice(line.lastIndexOf(' ', tab) + 1, tab) as ObjectId);
  }
  return { manifests, hidden };
}
