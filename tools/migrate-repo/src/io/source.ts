import { isUtf8 } from 'node:buffer';
import { type Git, plumbing } from '@tributary/git/git';
import { idLength } from '@tributary/git/object-id';
import { readNamedBlobs, readObjects, resolveNames } from '@tributary/git/objects';
import { hasFileName, type ListedFile, parseListedFiles, type RemoteRef } from '@tributary/git/parse';
import { nameAsText, textAsName } from '@tributary/git/tree';
import { isToolError, ToolError } from '@tributary/model/errors';
import { type CommitId, type ObjectId, parseObjectId } from '@tributary/model/ids';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import type { FoundTag, SourceFacts, SourceRequest } from '../plan/facts.js';
import { isOfOtherPackage } from '../plan/names.js';
import { type ObjectFault, refuseFaults } from '../plan/object-faults.js';
import { chooseRefs } from '../plan/source-ref.js';
import { isUnsafeName } from '../plan/unportable-paths.js';
import { readFaults } from './fault-reader.js';
import { refuseMissingLfs } from './lfs.js';
import { refuseLocalTrouble } from './local-source.js';
import { announceRefs, fetchChecked, formatMismatch, type OnFetch, type Remote } from './scratch-fetch.js';
import type { LocalRepository } from './target.js';

/** A source in a scratch repository of the tool. */
export interface FetchedSource {
  readonly facts: SourceFacts;
  /** Malformed objects that were accepted. */
  readonly faults: readonly ObjectFault[];
  readonly scratch: AbsolutePath;
  readonly git: Git;
}

export interface FetchChoices {
  readonly tags: 'bring' | 'leave';
  /** `accept`: pointers of Git LFS are imported even if their files are missing. */
  readonly lfsPointers: 'refuse' | 'accept';
  /** Kinds of malformed objects to accept, in lower case. */
  readonly allowedFaults: ReadonlySet<string>;
  readonly onFetch?: OnFetch;
  /** Called with the refs of the source, before anything is fetched. What it throws is thrown. */
  readonly onAnnounced?: (announced: readonly RemoteRef[]) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

const BRANCH = 'refs/source/branch';
const TAGS = 'refs/source/tags/';

/** Fetches one source and reads what the plan needs of it. Throws `MANIFEST_INVALID`, `DISK_FULL`, and codes that begin with `SOURCE_`. */
export async function fetchSource(
  target: LocalRepository,
  place: { readonly request: SourceRequest; readonly scratch: AbsolutePath },
  choices: FetchChoices,
): Promise<FetchedSource> {
  const { request, scratch } = place;
  await refuseLocalTrouble(target, request.url);
  const remote: Remote = { url: request.url, scratch, signal: choices.signal };
  const announced = await announceRefs(remote);
  if (announced.some((entry) => entry.id.length !== idLength(target.format))) throw formatMismatch(request.url);
  const { ref, tags } = chooseRefs(request, announced);
  await choices.onAnnounced?.(announced);
  const wantsTags = choices.tags === 'bring' && tags > 0;
  const refspecs = [`+${ref}:${BRANCH}`, ...(wantsTags ? [`+refs/tags/*:${TAGS}*`] : [])];
  const seen = await fetchChecked(remote, refspecs, choices.onFetch);
  const git = plumbing(scratch, { signal: choices.signal });
  await refuseShallow(git, request.url);
  const faults = seen ?? (await readFaults(git));
  const tip = parseObjectId(await git.text(['rev-parse', '--verify', `${BRANCH}^{commit}`]));
  const files = await listFolder(git, tip, request);
  refuseFaults(faults, { url: request.url, allowed: choices.allowedFaults });
  await refuseMissingLfs(git, files, { target, url: request.url, tip, pointers: choices.lfsPointers });
  const facts: SourceFacts = {
    request,
    ref,
    tip,
    manifest: await readManifest(git, files, request),
    files,
    tags: wantsTags ? await readReleases(git, await listTags(git), request) : [],
  };
  return { facts, faults, scratch, git };
}

/** Throws `SOURCE_SHALLOW` for a shallow clone. */
export async function refuseShallow(git: Git, url: RepoUrl): Promise<void> {
  if ((await git.text(['rev-parse', '--is-shallow-repository'])) === 'false') return;
  throw new ToolError({
    code: 'SOURCE_SHALLOW',
    message: `${url} is a shallow clone: the start of its history is missing.`,
    hint: 'Complete it with "git fetch --unshallow", or migrate from the address that it was cloned from.',
  });
}

async function listTags(git: Git): Promise<readonly FoundTag[]> {
  const output = await git.text(['for-each-ref', '--format=%(objectname) %(*objectname) %(refname)', TAGS]);
  return output.split('\n').flatMap((line) => {
    const [id = '', target = '', ...ref] = line.split(' ');
    if (id === '') return [];
    const name = ref.join(' ').slice(TAGS.length);
    return [{ id: parseObjectId(id), name, ...(target === '' ? {} : { target: parseObjectId(target) }) }];
  });
}

/** Adds to each tag what it is a release of, for a package that shares its repository with others; else whether it can be one. */
async function readReleases(git: Git, tags: readonly FoundTag[], { name, subdirectory }: SourceRequest): Promise<readonly FoundTag[]> {
  if (subdirectory === undefined) return withoutManifests(git, tags);
  const asked = tags.filter((tag) => !isOfOtherPackage(name, tag.name));
  const texts = await readNamedBlobs(
    git,
    asked.map(({ id }) => `${id}^{}:${subdirectory}/package.json`),
  );
  const releases = new Map(asked.map((tag, at) => [tag, releaseIn(texts[at])]));
  return tags.map((tag) => ({ ...tag, release: releases.get(tag) }));
}

async function withoutManifests(git: Git, tags: readonly FoundTag[]): Promise<readonly FoundTag[]> {
  const found = await resolveNames(
    git,
    tags.map(({ id }) => `${id}^{}:package.json`),
  );
  return tags.map((tag, at) => (found[at]?.type === 'blob' ? tag : { ...tag, manifest: 'missing' }));
}

/** Returns what an old package.json says; `undefined` for one that cannot be read, as some old ones. */
function releaseIn(content: Buffer | undefined): FoundTag['release'] {
  if (content === undefined) return undefined;
  try {
    const { name, version } = parseManifest(content.toString('utf8'), 'package.json');
    return { name, version };
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}

/** Returns every file of the imported folder, with paths relative to it. */
async function listFolder(git: Git, tip: CommitId, request: SourceRequest): Promise<ListedFile[]> {
  const { subdirectory } = request;
  const tree = subdirectory === undefined ? tip : await resolveSubdirectory(git, tip, { subdirectory, url: request.url });
  const files = parseListedFiles((await git.bytes(['ls-tree', '-r', '-l', '-z', tree])).toString('latin1'));
  refuseUnsafePaths(files, request);
  return files;
}

/** Rejects names that git would refuse to check out, and that must never be used to write files. Throws `SOURCE_UNSAFE_PATH`. */
function refuseUnsafePaths(files: readonly ListedFile[], request: SourceRequest): void {
  const unsafe = files.find(({ path, mode }) =>
    nameAsText(path)
      .split('/')
      .some((name) => isUnsafeName(name, mode)),
  );
  if (unsafe === undefined) return;
  throw new ToolError({
    code: 'SOURCE_UNSAFE_PATH',
    message: `${request.url} has a file with a name that git refuses to check out: ${JSON.stringify(nameAsText(unsafe.path))}.`,
    hint: 'The path leaves its folder, or a file system may treat it as ".git". Remove it in the source, without checking it out.',
    data: { path: nameAsText(unsafe.path) },
  });
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
    hint: 'Check --subdirectory, or "subdirectory" in tributary.json; the path is relative to the root of the source.',
    data: { subdirectory: wanted.subdirectory, tip },
  });
}

async function readManifest(git: Git, files: readonly ListedFile[], request: SourceRequest): Promise<Manifest> {
  const file = files.find((candidate) => candidate.path === textAsName('package.json') && candidate.mode.startsWith('100'));
  const where = `package.json of ${request.url}`;
  if (file === undefined) throw noManifest(files, request);
  const [object] = await readObjects(git, [file.id]);
  const content = object?.content ?? Buffer.alloc(0);
  if (!isUtf8(content)) throw notUtf8(where);
  const manifest = parseManifest(content.toString('utf8'), where);
  if (manifest.name === request.name) return manifest;
  throw new ToolError({
    code: 'SOURCE_NAME_MISMATCH',
    message:
      manifest.name === undefined
        ? `The package.json of ${request.url} has no name, so it may not be ${request.name}.`
        : `The package in ${request.url} is named ${manifest.name}, not ${request.name}.`,
    hint:
      manifest.name === undefined
        ? 'Give it a name in its package.json first.'
        : `If this is the right repository, use the package name ${manifest.name}; if the package is in a folder of it, add --subdirectory.`,
    data: { expected: request.name, found: manifest.name ?? null },
  });
}

function notUtf8(file: string): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `${file} is not UTF-8.`,
    hint: 'Save it as UTF-8 and commit it.',
    data: { file },
  });
}

function noManifest(files: readonly ListedFile[], request: SourceRequest): ToolError {
  if (files.some(({ path, mode }) => path === textAsName('package.json') && mode === LINK_MODE)) return linkedManifest(request);
  const elsewhere = files
    .filter(({ path, mode }) => hasFileName(path, 'package.json') && mode.startsWith('100') && !path.includes('node_modules/'))
    .map((file) => nameAsText(file.path).replace(/\/package\.json$/, ''));
  return new ToolError({
    code: 'SOURCE_NO_MANIFEST',
    message: `${request.url} has no package.json ${request.subdirectory === undefined ? 'at its root' : `in ${request.subdirectory}`}.`,
    hint:
      elsewhere.length === 0
        ? 'Only a package can become a workspace: first add a package.json with a name.'
        : `Choose a folder that has one with --subdirectory: ${elsewhere.slice(0, 5).join(', ')}.`,
    data: { elsewhere },
  });
}

const LINK_MODE = '120000';

function linkedManifest({ url, subdirectory }: SourceRequest): ToolError {
  return new ToolError({
    code: 'SOURCE_NO_MANIFEST',
    message: `The package.json of ${url}${subdirectory === undefined ? '' : ` in ${subdirectory}`} is a symbolic link, which is not followed.`,
    hint: 'Replace it with the file itself, and commit it.',
    data: { elsewhere: [] },
  });
}
