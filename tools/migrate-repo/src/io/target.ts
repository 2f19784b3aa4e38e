import { realpathSync } from 'node:fs';
import { asUser, type Git, plumbing } from '@tributary/git/git';
import type { ObjectFormat } from '@tributary/git/object-id';
import { readObjects } from '@tributary/git/objects';
import { foreignRepository, notTrusted } from '@tributary/git/ownership';
import { hasFileName, type ListedFile, parseListedFiles } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import { checkGitVersion } from '@tributary/git/version';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseObjectId, parseRefName, type RefName } from '@tributary/model/ids';
import { type AbsolutePath, isInside, joinRepoPath, parseAbsolutePath, type RepoFolder, relativeTo } from '@tributary/model/paths';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { Identity, TargetFacts } from '../plan/facts.js';
import { type RootSigns, refuseOtherManager } from '../plan/package-manager.js';

/** A repository on this machine, and the user's folder in it. */
export interface LocalRepository {
  /** The folder with objects and refs; for a linked work tree, that of the main one. */
  readonly gitDir: AbsolutePath;
  /** `undefined` for a bare repository. */
  readonly workTree: AbsolutePath | undefined;
  /** The user's folder, relative to the root of the repository. */
  readonly standsIn: RepoFolder;
  readonly format: ObjectFormat;
  /** Plumbing commands on the repository. */
  readonly git: Git;
  /**
   * git with the user's settings, for their identity in commits and reflogs. The tool's signal does not stop it,
   * because its commands are short and must not be interrupted.
   */
  readonly userGit: Git;
}

export interface Target extends LocalRepository {
  readonly facts: TargetFacts;
}

/** The user's HEAD. */
export interface HeadState {
  readonly head: CommitId;
  /** `undefined` if HEAD is detached. */
  readonly branch: RefName | undefined;
}

/** Returns the state of HEAD. Throws `TARGET_UNBORN`. */
export async function readHeadState(userGit: Git): Promise<HeadState> {
  const branch = await userGit.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  return { head: await readHead(userGit), branch: branch.exit === 0 ? parseRefName(branch.stdout.toString('utf8').trim()) : undefined };
}

/**
 * Returns the repository that contains a folder, as the user's own git finds it. Throws `TARGET_NOT_FOUND`,
 * `TARGET_NOT_TRUSTED`, `GIT_TOO_OLD`, `GIT_MISSING`.
 */
export async function openRepository(folder: AbsolutePath, signal?: AbortSignal): Promise<LocalRepository> {
  const git = asUser(existingFolder(folder));
  checkGitVersion(await git.text(['version']));
  const asked = ['--absolute-git-dir', '--git-common-dir', '--is-inside-work-tree', '--show-object-format'];
  const answer = await git.attempt(['rev-parse', '--path-format=absolute', ...asked]);
  if (answer.exit !== 0) throw notARepository(folder, answer.stderr);
  const [, common = '', inside, format] = answer.stdout.toString('utf8').trimEnd().split('\n');
  const workTree = inside === 'true' ? await git.text(['rev-parse', '--show-toplevel']) : undefined;
  const standsIn = inside === 'true' ? (await git.text(['rev-parse', '--show-prefix'])).replace(/\/$/, '') : '';
  // With its letters as the disk has them: on Windows and macOS the same folder may be named in another case.
  const gitDir = parseAbsolutePath(realpathSync.native(common));
  return {
    gitDir,
    workTree: workTree === undefined ? undefined : parseAbsolutePath(workTree),
    standsIn: standsIn as RepoFolder,
    format: format === 'sha256' ? 'sha256' : 'sha1',
    git: plumbing(gitDir, { signal }),
    userGit: git,
  };
}

/**
 * Reads the monorepo from HEAD's commit, or from another one, not from the work tree. Throws `TARGET_UNBORN`,
 * `TARGET_NOT_A_MONOREPO`, `PACKAGE_MANAGER_UNSUPPORTED`, `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`.
 */
export async function readTarget(repository: LocalRepository, commit?: CommitId): Promise<Target> {
  const { git } = repository;
  const head = commit ?? (await readHead(repository.userGit));
  const headTree = parseObjectId(await git.text(['rev-parse', '--verify', `${head}^{tree}`]));
  const files = parseListedFiles((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', head])).toString('latin1'));
  const manifests = await readManifests(git, files);
  const root = findRoot(repository.standsIn, manifests);
  await refuseLossyText(git, files, root);
  refuseOtherManager(await readSigns(git, files, { root, manifestText: manifests.get(root) ?? '' }));
  const inRoot = new Map([...manifests].flatMap(([at, text]) => (isInside(at, root) ? [[relativeTo(root, at) as RepoFolder, text]] : [])));
  const workspaces = discoverWorkspaces({ folders: [...inRoot.keys()], readManifest: (at) => inRoot.get(at) ?? '' });
  const refs = new Set((await git.text(['for-each-ref', '--format=%(refname)'])).split('\n').filter((ref) => ref !== ''));
  const facts = { format: repository.format, head, headTree, root, rootManifestText: inRoot.get('') ?? '', workspaces, files, refs };
  return { ...repository, facts };
}

/** Returns the identity that git uses for commits. Throws `TARGET_IDENTITY_MISSING`. */
export async function readIdentity(userGit: Git): Promise<Identity> {
  const ask = async (variable: string): Promise<string> => {
    const answer = await userGit.attempt(['var', variable]);
    if (answer.exit === 0) return answer.stdout.toString('utf8').trimEnd();
    throw new ToolError({
      code: 'TARGET_IDENTITY_MISSING',
      message: 'git has no author and committer identity here.',
      hint: 'Set user.name and user.email with "git config", or set GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL.',
      data: { git: answer.stderr },
    });
  };
  return { author: await ask('GIT_AUTHOR_IDENT'), committer: await ask('GIT_COMMITTER_IDENT') };
}

/** Returns HEAD's commit, in the user's own work tree. Throws `TARGET_UNBORN`. */
async function readHead(userGit: Git): Promise<CommitId> {
  const answer = await userGit.attempt(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (answer.exit === 0) return parseObjectId(answer.stdout.toString('latin1').trim());
  throw new ToolError({
    code: 'TARGET_UNBORN',
    message: 'The monorepo has no commits yet.',
    hint: 'Commit a root package.json with "workspaces" first.',
  });
}

async function readManifests(git: Git, files: readonly ListedFile[]): Promise<ReadonlyMap<RepoFolder, string>> {
  const found = files.filter(
    (file) => hasFileName(file.path, 'package.json') && file.mode.startsWith('100') && !/(^|\/)node_modules\//.test(file.path),
  );
  const objects = await readObjects(
    git,
    found.map((file) => file.id),
  );
  return new Map(found.map((file, at) => [parentFolder(nameAsText(file.path)), objects[at]?.content.toString('utf8') ?? '']));
}

/** Returns the signs of the package manager at the root. A yarn.lock that is a link does not count. */
async function readSigns(
  git: Git,
  files: readonly ListedFile[],
  { root, manifestText }: { readonly root: RepoFolder; readonly manifestText: string },
): Promise<RootSigns> {
  const atRoot = new Map(
    files.flatMap((file) => {
      const path = nameAsText(file.path);
      return parentFolder(path) === root && file.mode.startsWith('100') ? [[relativeTo(root, path), file.id] as const] : [];
    }),
  );
  const lock = atRoot.get('yarn.lock');
  const [object] = lock === undefined ? [] : await readObjects(git, [lock]);
  return {
    manifest: parseManifest(manifestText, joinRepoPath(root, 'package.json')),
    files: new Set(atRoot.keys()),
    yarnLock: object?.content.toString('utf8'),
  };
}

/**
 * Rejects a root manifest that is not UTF-8: it is read as text and may be rewritten, which would lose bytes. Throws
 * `MANIFEST_INVALID`.
 */
async function refuseLossyText(git: Git, files: readonly ListedFile[], root: RepoFolder): Promise<void> {
  const path = joinRepoPath(root, 'package.json');
  const file = files.find((candidate) => nameAsText(candidate.path) === path);
  const [object] = file === undefined ? [] : await readObjects(git, [file.id]);
  if (object === undefined || Buffer.from(object.content.toString('utf8')).equals(object.content)) return;
  throw new ToolError({
    code: 'MANIFEST_INVALID',
    message: `${path} is not UTF-8.`,
    hint: 'Save it as UTF-8 and commit it.',
    data: { file: path },
  });
}

/** Returns the nearest folder, from the user's upwards, whose package.json has `workspaces`. */
function findRoot(standsIn: RepoFolder, manifests: ReadonlyMap<RepoFolder, string>): RepoFolder {
  for (let folder: RepoFolder = standsIn; ; folder = parentFolder(folder)) {
    const text = manifests.get(folder);
    if (text !== undefined && 'workspaces' in parseManifest(text, folder === '' ? 'package.json' : `${folder}/package.json`).raw)
      return folder;
    if (folder === '') break;
  }
  throw new ToolError({
    code: 'TARGET_NOT_A_MONOREPO',
    message: `The last commit has no package.json with "workspaces" ${standsIn === '' ? 'at its root' : `in ${standsIn} or above it`}.`,
    hint: 'Add "workspaces": ["packages/*"] to the root package.json and commit it, or name the monorepo with --into.',
  });
}

function existingFolder(folder: AbsolutePath): AbsolutePath {
  try {
    return parseAbsolutePath(realpathSync(folder));
  } catch (error) {
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `The folder ${folder} does not exist.`,
      hint: 'Name the monorepo with --into.',
      cause: error,
    });
  }
}

function notARepository(folder: AbsolutePath, stderr: string): ToolError {
  const foreign = foreignRepository(stderr);
  if (foreign !== undefined) return notTrusted(foreign);
  return new ToolError({
    code: 'TARGET_NOT_FOUND',
    message: `${folder} is not in a usable git repository: ${stderr.trim()}`,
    hint: 'Run the command inside the monorepo, or name it with --into.',
  });
}
