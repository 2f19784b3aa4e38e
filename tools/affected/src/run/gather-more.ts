import { changedFile, parseRevision, readDifference } from '@tributary/git/changeset';
import { splitNul } from '@tributary/git/parse';
import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { relativeToProject } from '../changed-files.js';
import { readFileList, refuseJoinedNames } from '../io/file-list.js';
import { firstThere } from '../io/history.js';
import { type RootTexts, readRootTexts } from '../io/reading.js';
import { withWorkTree } from '../io/work-tree.js';
import { type ChangeSource, type Changes, compare, givenBase, idOf } from './compare.js';
import { readConfig } from './config.js';
import { findBase } from './find-base.js';
import type { AffectedInputs } from './inputs.js';
import { readPullRequest } from './pull-request.js';

/**
 * Gathers inputs that need more than two commits, and calls `use` with them: without a base, with missing history, from a list or GitHub,
 * or with the working tree. The working tree is readable only until `use` ends.
 */
export async function gatherMore<T>(source: Omit<ChangeSource, 'head'>, use: (inputs: AffectedInputs) => Promise<T>): Promise<T> {
  const { request, repository } = source;
  const scene = { ...source, head: parseRevision(request.head ?? 'HEAD') };
  if (request.uncommitted === 'without') return use(await inputsOf(scene, await readChanges(scene)));
  return withWorkTree(repository, request.fetch, async ({ tree, dirtySubmodules, git: withTree }) => {
    const changes = await readChanges(scene);
    const inTree = (await readDifference(withTree, changes.mergeBase ?? (await idOf(scene)), tree)).map(changedFile);
    const inSubmodules = dirtySubmodules.map((path): ChangedFile => ({ path: path as RepoPath, status: 'modified', kind: 'submodule' }));
    const files = [...inTree.filter(({ path }) => !dirtySubmodules.includes(path)), ...inSubmodules];
    const inputs = await inputsOf({ ...scene, git: withTree }, { ...changes, files });
    const texts = await readRootTexts(withTree, tree, repository.project);
    return use({ ...inputs, headTree: tree, texts, config: await readConfig(texts) });
  });
}

async function inputsOf(scene: ChangeSource, changes: Changes): Promise<AffectedInputs> {
  const { git, repository, request } = scene;
  const head = await idOf(scene);
  const texts = await readRootTexts(git, head, repository.project);
  const files = [...relativeToProject(changes.files, repository.project), ...(await unlistedRules(scene, changes, texts))];
  const filesAre = request.filesFrom === undefined && request.pullRequest === undefined ? 'compared' : 'listed';
  return { git, repository, head, headTree: head, texts, config: await readConfig(texts), ...changes, files, filesAre };
}

/** Returns changed rule files that a user-supplied list may omit. */
async function unlistedRules(
  { git, repository }: ChangeSource,
  { files, mergeBase }: Changes,
  texts: RootTexts,
): Promise<readonly ChangedFile[]> {
  if (mergeBase === null) return [];
  const listed = new Set<string>(relativeToProject(files, repository.project).map(({ path }) => path));
  const before = await readRootTexts(git, mergeBase, repository.project);
  return RULE_FILES.filter((file) => before[file] !== texts[file] && !listed.has(file)).map((file) => ({
    path: file as string as RepoPath,
    status: 'modified',
    kind: 'file',
  }));
}

async function readChanges(scene: ChangeSource): Promise<Changes> {
  const { request } = scene;
  if (request.filesFrom !== undefined) return readList(scene, request.filesFrom);
  if (request.pullRequest !== undefined) return readPullRequest(scene, request.pullRequest);
  if (request.base !== undefined) return compare(scene, givenBase(scene.request.base ?? ''));
  const found = await findBase(scene.git, scene.head, { services: scene.services, configured: await configuredBase(scene) });
  if (found.kind === 'all') return { base: null, mergeBase: null, files: [], all: found.all, warnings: [] };
  scene.services.ui.verbose(`The base is ${found.source}.`);
  const changes = await compare(scene, found);
  if (changes.all !== undefined || scene.request.uncommitted === 'with' || changes.base !== (await idOf(scene))) return changes;
  return {
    ...changes,
    all: { code: 'BASE_IS_HEAD', reason: `The base that was found (${found.source}) is the head itself: there is nothing to compare.` },
  };
}

/**
 * Returns the base in the configuration of the remote's main branch, if there is one: a branch must not choose what it is compared with.
 */
async function configuredBase({ git, repository, head }: ChangeSource): Promise<string | undefined> {
  const main = await firstThere(git, ['origin/HEAD', 'origin/main', 'origin/master'].map(parseRevision));
  return (await readConfig(await readRootTexts(git, main ?? head, repository.project))).base;
}

/** Reads a list. With a base, changes in manifests and the lockfile are readable; without one, they select everything. */
async function readList(scene: ChangeSource, source: string): Promise<Changes> {
  const { request, repository } = scene;
  const files = readFileList(source, { cwd: request.cwd, top: repository.workTree });
  const all = files.length > 0 ? undefined : NO_FILES;
  const paths = await listPaths(scene, await idOf(scene));
  const gone = notAmong(paths, files);
  if (request.base === undefined) {
    refuseJoinedNames(gone, paths);
    return {
      base: null,
      mergeBase: null,
      files,
      all: all ?? namesNothing(inNoFolder(gone, paths), 'is not in a folder of the head'),
      warnings: [],
    };
  }
  const compared = await compare(scene, givenBase(request.base));
  const unknown = compared.mergeBase === null || gone.length === 0 ? [] : notAmong(await listPaths(scene, compared.mergeBase), gone);
  return { ...compared, files, all: all ?? compared.all ?? namesNothing(unknown, 'is not a file of the base or the head') };
}

/** Returns the listed files that a commit does not have. Files outside the repository select everything anyway. */
function notAmong(paths: ReadonlySet<string>, files: readonly ChangedFile[]): readonly ChangedFile[] {
  return files.filter(({ path }) => !path.startsWith('../') && !paths.has(path));
}

async function listPaths({ git }: ChangeSource, commit: CommitId): Promise<ReadonlySet<string>> {
  return new Set(splitNul((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', '--name-only', commit])).toString('utf8')));
}

function namesNothing([first]: readonly ChangedFile[], why: string): AllReason | undefined {
  if (first === undefined) return undefined;
  return { code: 'FILES_UNKNOWN', reason: `The list of changed files has "${first.path}", which ${why}.` };
}

/** Returns files in folders that do not exist. A deleted file usually leaves its folder behind; a misspelt name has none. */
function inNoFolder(gone: readonly ChangedFile[], paths: ReadonlySet<string>): readonly ChangedFile[] {
  const folders = new Set<string>();
  for (const path of paths) for (let at = parentFolder(path); at !== '' && !folders.has(at); at = parentFolder(at)) folders.add(at);
  return gone.filter(({ path }) => path.includes('\\') || (path.includes('/') && !folders.has(parentFolder(path))));
}

const RULE_FILES = ['tributary.json', 'turbo.json', 'turbo.jsonc'] as const;

/** An empty list: a failure before a pipe produces it too, so it must not mean "nothing changed". */
const NO_FILES: AllReason = {
  code: 'FILES_UNKNOWN',
  reason: 'The list of changed files is empty: nothing changed, or creating the list failed.',
};
