import type { Git } from '@tributary/git/git';
import { readNamedBlobs } from '@tributary/git/objects';
import { splitNul } from '@tributary/git/parse';
import { isInside, type RepoFolder, seenFrom } from '@tributary/model/paths';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';

/** What a commit says of a project, read from its manifests. */
export interface ProjectFiles {
  readonly workspaces: readonly Workspace[];
  /** Submodules and symbolic links: what is behind them cannot be seen from here. */
  readonly hidden: readonly RepoFolder[];
}

/**
 * Reads the workspaces of a project at a commit out of their manifests; the work tree is not looked at. Throws `MANIFEST_INVALID`,
 * `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`.
 */
export async function readProject(git: Git, commit: string, project: RepoFolder): Promise<ProjectFiles> {
  const { manifests, hidden } = await listFolders(git, commit, project);
  const texts = new Map<RepoFolder, string>();
  // A manifest may name further workspaces, so who is one is known only round by round; as a rule there are two.
  for (;;) {
    const missing = new Set<RepoFolder>();
    const workspaces = discoverUnlessMissing(manifests, texts, missing);
    if (workspaces !== undefined) return { workspaces, hidden };
    const folders = [...missing];
    const names = folders.map((folder) => `${commit}:${below(project, folder === '' ? 'package.json' : `${folder}/package.json`)}`);
    const blobs = await readNamedBlobs(git, names);
    for (const [at, folder] of folders.entries()) texts.set(folder, blobs[at]?.toString('utf8') ?? '');
  }
}

/** `undefined` if there were manifests whose text is not there yet: then they are in `missing`. */
function discoverUnlessMissing(
  folders: readonly RepoFolder[],
  texts: ReadonlyMap<RepoFolder, string>,
  missing: Set<RepoFolder>,
): readonly Workspace[] | undefined {
  try {
    const workspaces = discoverWorkspaces({
      folders,
      readManifest: (folder) => {
        const text = texts.get(folder);
        if (text === undefined) missing.add(folder);
        // A name that nobody has, so that two that are missing are not taken for two of one name.
        return text ?? JSON.stringify({ name: `missing-${missing.size}-\u200b` });
      },
    });
    return missing.size === 0 ? workspaces : undefined;
  } catch (error) {
    if (missing.size === 0) throw error;
    return undefined;
  }
}

interface Folders {
  readonly manifests: readonly RepoFolder[];
  readonly hidden: readonly RepoFolder[];
}

async function listFolders(git: Git, commit: string, project: RepoFolder): Promise<Folders> {
  const output = (await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('utf8');
  const manifests: RepoFolder[] = [];
  const hidden: RepoFolder[] = [];
  for (const line of splitNul(output)) {
    const isManifest = line.endsWith('package.json');
    const isHidden = line.startsWith('160000') || line.startsWith('120000');
    if (!isManifest && !isHidden) continue;
    const path = line.slice(line.indexOf('\t') + 1);
    if (!isInside(path, project)) continue;
    const seen = seenFrom(project, path);
    if (isHidden) hidden.push(seen as RepoFolder);
    else if (/(^|\/)package\.json$/.test(seen) && line.startsWith('100') && !/(^|\/)node_modules\//.test(seen))
      manifests.push(parentFolder(seen));
  }
  return { manifests, hidden };
}

function below(project: RepoFolder, path: string): string {
  return project === '' ? path : `${project}/${path}`;
}
