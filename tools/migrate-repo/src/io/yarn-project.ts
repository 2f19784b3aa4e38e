import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { hasFileName, parseListedFiles } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, isInside, type RepoFolder, relativeTo } from '@tributary/model/paths';
import { Configuration, Project, structUtils } from '@yarnpkg/core';
import { npath } from '@yarnpkg/fslib';

/** A workspace as Yarn's own code sees it. */
export interface YarnWorkspace {
  readonly name: string;
  /** Relative to the folder of the root package.json, which is `.` itself. */
  readonly path: string;
}

/**
 * Returns the workspaces of a commit, according to Yarn's own code, `@yarnpkg/core`, in Yarn's order. Yarn sees only
 * the manifests, in `scratch`, an empty folder outside the repository. No setting or plugin of the repository is read
 * or run. Throws what Yarn throws.
 */
export async function askYarn(
  git: Git,
  commit: CommitId,
  place: { readonly root: RepoFolder; readonly scratch: AbsolutePath },
): Promise<YarnWorkspace[]> {
  await writeManifests(git, commit, { root: place.root, folder: place.scratch });
  // Its own lockfile makes this folder Yarn's project, regardless of the folders above.
  writeFileSync(join(place.scratch, 'yarn.lock'), '');
  return await readProject(place.scratch);
}

async function readProject(folder: string): Promise<YarnWorkspace[]> {
  const place = npath.toPortablePath(folder);
  // `create`, not `find`: it ignores the settings of the machine and of the folders above.
  const { project } = await Project.find(Configuration.create(place, place, new Map()), place);
  return project.workspaces.map((workspace) => ({
    name: structUtils.stringifyIdent(workspace.anchoredLocator),
    path: workspace.relativeCwd,
  }));
}

async function writeManifests(git: Git, commit: CommitId, place: { readonly root: RepoFolder; readonly folder: string }): Promise<void> {
  const listed = parseListedFiles((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('latin1'));
  const files = listed.filter(
    (file) => hasFileName(file.path, 'package.json') && file.mode.startsWith('100') && isInside(nameAsText(file.path), place.root),
  );
  const objects = await readObjects(
    git,
    files.map((file) => file.id),
  );
  for (const [at, file] of files.entries()) {
    const below = relativeTo(place.root, nameAsText(file.path));
    const path = join(place.folder, below);
    if (!path.startsWith(join(place.folder, '/'))) throw new Error(`${below} leaves the folder of its project`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, objects[at]?.content ?? '');
  }
}
