import { realpathSync, statSync } from 'node:fs';
import { asUser, type Git, plumbing } from '@tributary/git/git';
import { idLength, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import { hasFileName, type ListedFile, parseListedFiles, type RemoteRef } from '@tributary/git/parse';
import { nameAsText, textAsName } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, type ObjectId, parseObjectId, parseRefName, type RefName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import { type RepoUrl, reveal } from '@tributary/model/repo-url';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import type { SourceFacts, SourceRequest } from '../plan/facts.js';
import { refuseMissingLfs } from './lfs.js';
import { announceRefs, fetchRefs, formatMismatch, type OnFetch, type Remote } from './scratch-fetch.js';
import type { Repository } from './target.js';

/** A source that lies in a scratch repository of ours. */
export interface FetchedSource {
  readonly facts: SourceFacts;
  readonly scratch: AbsolutePath;
  readonly git: Git;
}

export interface FetchChoices {
  readonly tags: 'bring' | 'leave';
  /** `accept`: files whose content is in Git LFS come as pointers even where the content is missing. */
  readonly lfsPointers: 'refuse' | 'accept';
  readonly onFetch?: OnFetch;
  readonly signal: AbortSignal | undefined;
}

const BRANCH = 'refs/source/branch';
const TAGS = 'refs/source/tags/';

/**
 * Fetches one source and reads what the plan needs of it. Throws a `ToolError` whose code begins with `SOURCE_`, `MANIFEST_INVALID` or
 * `DISK_FULL`.
 */
export async function fetchSource(
  target: Repository,
  place: { readonly request: SourceRequest; readonly scratch: AbsolutePath },
  choices: FetchChoices,
): Promise<FetchedSource> {
  const { request, scratch } = place;
  await refuseLocalTrouble(target, request.url);
  const remote: Remote = { url: request.url, scratch, signal: choices.signal };
  const { ref, tags } = chooseRefs(request, await announceRefs(remote), target.format);
  const wantsTags = choices.tags === 'bring' && tags > 0;
  await fetchRefs(remote, [`+${ref}:${BRANCH}`, ...(wantsTags ? [`+refs/tags/*:${TAGS}*`] : [])], { onFetch: choices.onFetch });
  const git = plumbing(scratch, { signal: choices.signal });
  await refuseShallow(git, request.url);
  const tip = parseObjectId(await git.text(['rev-parse', '--verify', `${BRANCH}^{commit}`]));
  const files = await listFolder(git, tip, request);
  await refuseMissingLfs(git, files, { target, url: request.url, pointers: choices.lfsPointers });
  const facts: SourceFacts = {
    request,
    ref,
    tip,
    manifest: await readManifest(git, files, request),
    topFiles: files,
    tags: wantsTags ? await listTags(git) : [],
  };
  return { facts, scratch, git };
}

/** What can be said of a source on this machine before git reads it. */
async function refuseLocalTrouble(target: Repository, url: RepoUrl): Promise<void> {
  if (url.kind !== 'path') return;
  const path = parseAbsolutePath(reveal(url));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    throw unreachable(url, stat === undefined ? 'there is nothing at this path' : 'it is a file, not a folder');
  const git = asUser(path);
  const common = await git.attempt(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (common.exit !== 0) throw unreachable(url, common.stderr.trim().replace(/^fatal: /, ''));
  if (realpathSync(common.stdout.toString('utf8').trimEnd()) === target.gitDir) {
    throw new ToolError({
      code: 'SOURCE_IS_TARGET',
      message: `${url} is the monorepo itself.`,
      hint: 'Name the repository that is to be merged with --from.',
    });
  }
  // A partial clone would fetch what it lacks from its own origin while it is being read, and write it into itself.
  const partial = await git.attempt(['config', '--get-regexp', '^(extensions\\.partialclone|remote\\..*\\.promisor)$']);
  if (partial.exit !== 0) return;
  throw new ToolError({
    code: 'SOURCE_PARTIAL',
    message: `${url} is a partial clone: it does not have all objects of its own history.`,
    hint: 'Migrate from a complete clone, or from the address that this one was cloned from.',
  });
}

function chooseRefs(
  request: SourceRequest,
  announced: readonly RemoteRef[],
  format: ObjectFormat,
): { ref: RefName | 'HEAD'; tags: number } {
  if (announced.length === 0) {
    throw new ToolError({
      code: 'SOURCE_EMPTY',
      message: `${request.url} has no commits.`,
      hint: 'Check the address; there is nothing to migrate.',
    });
  }
  if (announced.some((entry) => entry.id.length !== idLength(format))) throw formatMismatch(request.url);
  const tags = announced.filter((entry) => entry.ref.startsWith('refs/tags/')).length;
  return { ref: request.branch === undefined ? defaultRef(request, announced) : namedBranch(request.branch, request, announced), tags };
}

/** The branch that HEAD stands on, whatever it is called; HEAD itself where it stands on none. */
function defaultRef(request: SourceRequest, announced: readonly RemoteRef[]): RefName | 'HEAD' {
  const head = announced.find((entry) => entry.ref === 'HEAD');
  if (head === undefined) throw branchMissing(request, 'its HEAD names a branch that does not exist', announced);
  return head.target === undefined ? 'HEAD' : parseRefName(head.target);
}

function namedBranch(branch: string, request: SourceRequest, announced: readonly RemoteRef[]): RefName {
  const ref = branchRef(branch);
  if (announced.some((entry) => entry.ref === ref)) return ref;
  throw branchMissing(request, `it has no branch ${branch}`, announced);
}

async function refuseShallow(git: Git, url: RepoUrl): Promise<void> {
  if ((await git.text(['rev-parse', '--is-shallow-repository'])) === 'false') return;
  throw new ToolError({
    code: 'SOURCE_SHALLOW',
    message: `${url} is a shallow clone: the beginning of its history is missing.`,
    hint: 'Complete it with "git fetch --unshallow", or migrate from the address that it was cloned from.',
  });
}

async function listTags(git: Git): Promise<{ name: string; id: ObjectId }[]> {
  const output = await git.text(['for-each-ref', '--format=%(objectname) %(refname)', TAGS]);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ id: parseObjectId(line.slice(0, line.indexOf(' '))), name: line.slice(line.indexOf(' ') + 1 + TAGS.length) }));
}

/** Every file of the folder that is imported, with paths from that folder. */
async function listFolder(git: Git, tip: CommitId, request: SourceRequest): Promise<ListedFile[]> {
  const { subdirectory } = request;
  const tree = subdirectory === undefined ? tip : await resolveSubdirectory(git, tip, { subdirectory, url: request.url });
  return parseListedFiles((await git.bytes(['ls-tree', '-r', '-l', '-z', tree])).toString('latin1'));
}

async function resolveSubdirectory(
  git: Git,
  tip: CommitId,
  wanted: { readonly subdirectory: RepoPath; readonly url: RepoUrl },
): Promise<ObjectId> {
  const [found] = await resolveNames(git, [`${tip}:${wanted.subdirectory}`]);
  if (found?.type === 'tree') return found.id;
  throw new ToolError({
    code: 'SOURCE_SUBDIRECTORY_MISSING',
    message: `${wanted.url} has no folder ${wanted.subdirectory} in its last commit.`,
    hint: 'Check --subdirectory, or "subdirectory" in tributary.json; it counts from the root of the source.',
  });
}

async function readManifest(git: Git, files: readonly ListedFile[], request: SourceRequest): Promise<Manifest> {
  const file = files.find((candidate) => candidate.path === textAsName('package.json') && candidate.mode.startsWith('100'));
  const where = `package.json of ${request.url}`;
  if (file === undefined) throw noManifest(files, request);
  const [object] = await readObjects(git, [file.id]);
  const manifest = parseManifest(object?.content.toString('utf8') ?? '', where);
  if (manifest.name === request.name) return manifest;
  throw new ToolError({
    code: 'SOURCE_NAME_MISMATCH',
    message: `The package in ${request.url} is called ${manifest.name ?? '(it has no name)'}, not ${request.name}.`,
    hint:
      manifest.name === undefined
        ? 'Give it a name in its package.json first.'
        : `If this is the repository you mean: migrate-repo ${manifest.name} --from <address>`,
    data: { expected: request.name, found: manifest.name ?? null },
  });
}

function noManifest(files: readonly ListedFile[], request: SourceRequest): ToolError {
  const elsewhere = files
    .filter((file) => hasFileName(file.path, 'package.json') && !file.path.includes('node_modules/'))
    .map((file) => nameAsText(file.path).replace(/\/package\.json$/, ''));
  return new ToolError({
    code: 'SOURCE_NO_MANIFEST',
    message: `${request.url} has no package.json ${request.subdirectory === undefined ? 'at its root' : `in ${request.subdirectory}`}.`,
    hint:
      elsewhere.length === 0
        ? 'Only a package can become a workspace; add a package.json with its name first.'
        : `There is one in ${elsewhere.slice(0, 5).join(', ')}: choose it with --subdirectory.`,
    data: { elsewhere },
  });
}

function branchMissing(request: SourceRequest, why: string, announced: readonly RemoteRef[]): ToolError {
  const branches = announced.filter((entry) => entry.ref.startsWith('refs/heads/')).map((entry) => entry.ref.slice('refs/heads/'.length));
  return new ToolError({
    code: 'SOURCE_BRANCH_MISSING',
    message: `${request.url} cannot be migrated: ${why}.`,
    hint:
      branches.length === 0
        ? 'It has no branches at all.'
        : `Choose one with --source-branch: ${branches.slice(0, 8).join(', ')}${branches.length > 8 ? ', …' : ''}.`,
    data: { branches },
  });
}

function unreachable(url: RepoUrl, why: string): ToolError {
  return new ToolError({
    code: 'SOURCE_UNREACHABLE',
    message: `${url} could not be read: ${why}.`,
    hint: 'Check the path given with --from or in tributary.json.',
  });
}
