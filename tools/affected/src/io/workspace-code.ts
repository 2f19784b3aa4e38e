import type { Git } from '@tributary/git/git';
import { fetchMissing } from '@tributary/git/missing-objects';
import { readNamedBlobs } from '@tributary/git/objects';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { isCodeFile } from '@tributary/references/file-kinds';
import type { WorkspaceCode } from '@tributary/references/inner-references';
import { readReferences } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { opaqueFile } from '@tributary/references/scan-file';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { objectName } from './reading.js';
import { parseTracked, streamTexts } from './tracked-files.js';

/** A commit or tree, with the workspaces in it. */
interface Source {
  readonly git: Git;
  readonly commit: string;
  readonly project: RepoFolder;
  readonly graph: DependencyGraph;
}

/** Reads the code and the manifest of a workspace at a commit. Throws `GIT_FAILED`. */
export async function readWorkspaceCode(source: Source, member: number): Promise<Omit<WorkspaceCode, 'isUsedByOthers'>> {
  const { git, commit, project, graph } = source;
  const { name = '', path: folder = '' as RepoFolder } = graph.members[member] ?? {};
  const top = project === '' ? folder : `${project}/${folder}`;
  const listing = (await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit, '--', top])).toString('utf8');
  const tracked = parseTracked(listing, project).filter(({ path }) => owningMember(graph, path) === member);
  const wanted = tracked.filter(({ path, kind }) => kind === 'file' && isCodeFile(path));
  // A program starts in the workspace, or in the project's root.
  const entries = new Set([folder, ...tracked.map(({ path }) => path.slice(folder.length + 1))].map((path) => path.split('/', 1)[0] ?? ''));
  const files: FileReferences[] = [];
  const missing = await fetchMissing(
    git,
    wanted.map(({ id }) => id),
  );
  for await (const { file, text } of streamTexts(git, wanted, missing))
    files.push(text === undefined ? opaqueFile(file.path) : readReferences(file.path, text, { reach: 'inside', entries }));
  const [manifest] = await readNamedBlobs(git, [objectName(commit, project, `${folder}/package.json` as RepoPath)]);
  return { name, folder, files, manifest: manifest?.toString('utf8') ?? '' };
}
