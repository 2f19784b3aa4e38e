import type { RemoteRef } from '@tributary/git/parse';
import { isToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import type { MirrorPlace } from '../history/mirror.js';
import { type KeptMirror, openKeptMirror } from '../io/kept-mirror.js';
import { announceMirror, type MirrorUpdate, pushMirror } from '../io/mirror-remote.js';
import { readRef } from '../io/read-ref.js';
import { readRecordedTags } from '../io/recorded-tags.js';
import { resolveCommits } from '../io/resolve-commits.js';
import { announceRefs, type Remote } from '../io/scratch-fetch.js';
import { homeOf, type StagingArea, withStagingArea } from '../io/staging-area.js';
import { chooseMirrorRef, diverged, movedTags, refuseFolder } from '../plan/mirror-refusals.js';
import { countOf } from '../render.js';
import type { MirrorResult } from '../result.js';
import { type MadeMirror, type MirrorSource, makeMirror, nameMonorepo } from './mirror-history.js';
import type { MirrorRequest } from './mirror-request.js';
import { findOriginalTags, type ImportedTag, type MirroredTags } from './mirror-tags.js';
import { openInOrder } from './put-in-order.js';
import { type ImportChain, readHeld } from './sync-chain.js';

/**
 * Updates a mirror to what a ref has of a package: imported commits with their original ids, and later commits. Throws
 * `MIRROR_UNSUPPORTED`, `MIRROR_UNREACHABLE`, `MIRROR_DIVERGED`, `MIRROR_REFUSED`, `PROOF_FAILED`, and as `readHeld`;
 * the mirror is then unchanged.
 */
export async function mirror(request: MirrorRequest, services: Services): Promise<MirrorResult> {
  const started = services.clock();
  const progress = services.ui.progress();
  progress.phase('Reading the monorepo');
  const repository = await openInOrder(request.into, services);
  const ref = await readRef(repository.userGit, request.ref);
  const held = await readHeld(repository, request.name, ref);
  for (const { record } of held.chain) refuseFolder(record);
  const tags = request.tags === 'none' ? NO_TAGS : await readImportedTags(repository.git, held.chain);
  const tagged = await resolveCommits(
    repository.git,
    tags.came.map(({ id }) => id),
  );
  const source: MirrorSource = { repository, head: ref.head, held, tagged, signal: services.signal };
  const result = await withStagingArea(repository, (stagingArea) => mirrorIn(stagingArea, { request, source, tags, services, progress }));
  progress.done();
  return { ...result, milliseconds: between(started, services.clock()) };
}

interface TagsHere {
  readonly came: readonly ImportedTag[];
  /** Names of tags that differ here from the imported ones. */
  readonly moved: readonly string[];
  readonly recorded: number;
}

const NO_TAGS: TagsHere = { came: [], moved: [], recorded: 0 };

async function readImportedTags(git: MirrorSource['repository']['git'], chain: ImportChain): Promise<TagsHere> {
  const came: ImportedTag[] = [];
  const moved: string[] = [];
  for (const { record } of chain) {
    const found = await readRecordedTags(git, { record });
    came.push(...found.came.map((tag) => ({ ...tag, record })));
    moved.push(...found.moved.map(({ name }) => name));
  }
  return { came, moved, recorded: chain.reduce((sum, { record }) => sum + (record.tags?.count ?? 0), 0) };
}

interface Mirroring {
  readonly request: MirrorRequest;
  readonly source: MirrorSource;
  readonly tags: TagsHere;
  readonly services: Services;
  readonly progress: ReturnType<Services['ui']['progress']>;
}

async function mirrorIn(stagingArea: StagingArea, work: Mirroring): Promise<Omit<MirrorResult, 'milliseconds'>> {
  const { request, source, progress } = work;
  const { repository, held, tagged, signal } = source;
  const remote: Remote = { url: request.to, scratch: stagingArea.newScratch('asking'), signal };
  progress.phase(`Asking ${request.to}`);
  const announced = await announceMirror(remote);
  const ref = chooseMirrorRef(held.chain[held.chain.length - 1]?.record ?? held.chain[0].record, announced, request);
  progress.phase(`Making the history of ${request.name}`);
  const [{ record }] = held.chain;
  const place = { format: repository.format, path: record.path, repository: await nameMonorepo(repository, held.chain) };
  const key = JSON.stringify([place, held.chain.map(({ merge }) => merge), tagged]);
  const kept = openKeptMirror(homeOf(repository), `${request.name} ${ref}`, key);
  const from = announced.find((one) => one.ref === ref)?.id;
  const { made, tags, commits } = await prepareOnce(kept, (usedKept) =>
    prepare(stagingArea, work, { place, kept: usedKept, announced, remote, from }),
  );
  if (commits === undefined) throw diverged(request, record, { ref, tip: from });
  if (tags.moved.length > 0) throw movedTags(request, tags.moved);
  const updates = updatesOf(ref, from, { tip: made.tip, tags });
  if (request.extent === 'all') {
    if (updates.length > 0) {
      progress.phase(`Pushing to ${request.to}`);
      await pushMirror({ ...remote, scratch: made.scratch }, updates);
    }
    if (made.kept?.head !== source.head)
      kept.keep({ head: source.head, images: made.history.images }, made.scratch, made.kept === undefined ? 'anew' : 'continued');
  }
  return describe(work, { ref, from, tip: made.tip, commits, tags, updates });
}

/** What to push, in a scratch repository. */
interface Prepared {
  readonly made: Awaited<ReturnType<typeof makeMirror>>;
  readonly tags: MirroredTags;
  /** The number of commits that the mirror gains; `undefined` if the mirror's last commit is not among the new ones. */
  readonly commits: number | undefined;
}

interface Preparing {
  readonly place: MirrorPlace;
  readonly kept: KeptMirror;
  readonly announced: readonly RemoteRef[];
  readonly remote: Remote;
  readonly from: ObjectId | undefined;
}

async function prepare(stagingArea: StagingArea, work: Mirroring, { from, ...preparing }: Preparing): Promise<Prepared> {
  const made = await makeMirror(work.source, { ...preparing, newScratch: () => stagingArea.newScratch('mirror') });
  const tags = await findTags(work, made, preparing);
  const objects = new Map(tags.missing.flatMap((tag) => tag.objects).map((one) => [one.id, one]));
  for (const object of objects.values()) await made.sink.add(object);
  await made.sink.finish();
  return { made, tags, commits: await countNew(made, from) };
}

/** Prepares with the kept state. If that is damaged, repeats without it, because everything can be recreated. */
async function prepareOnce(kept: KeptMirror, attempt: (kept: KeptMirror) => Promise<Prepared>): Promise<Prepared> {
  if (kept.state === undefined) return attempt(kept);
  const anew = (): Promise<Prepared> => attempt({ ...kept, state: undefined });
  try {
    const prepared = await attempt(kept);
    return prepared.commits === undefined || prepared.tags.moved.length > 0 ? await anew() : prepared;
  } catch (error) {
    if (!isToolError(error) || error.code !== 'GIT_FAILED') throw error;
    return anew();
  }
}

/**
 * Returns the original tags. Names that the mirror lacks are read from the source, if that is another repository. If
 * the source cannot be read, its tags are left out with a warning.
 */
async function findTags(
  { source, tags, request }: Mirroring,
  made: MadeMirror,
  { announced, remote }: { readonly announced: readonly RemoteRef[]; readonly remote: Remote },
): Promise<MirroredTags> {
  const [{ record }] = source.held.chain;
  const url = parseRepoUrl(record.source, parseAbsolutePath);
  const askSource = async (): Promise<readonly RemoteRef[]> => {
    if (url.toString() === request.to.toString()) return [];
    try {
      return await announceRefs({ ...remote, url });
    } catch (error) {
      if (isToolError(error) && error.code === 'SOURCE_UNREACHABLE') return [];
      throw error;
    }
  };
  const { format } = source.repository;
  // The scratch repository also reads the objects of the monorepo.
  return findOriginalTags(made.git, tags.came, { format, images: made.history.images, mirror: announced, source: askSource });
}

/** Returns how many commits the mirror gains; `undefined` if its last commit is not among the created ones. */
async function countNew({ git, tip }: MadeMirror, from: ObjectId | undefined): Promise<number | undefined> {
  if (from === undefined) return Number(await git.text(['rev-list', '--count', tip]));
  if (from === tip) return 0;
  // git reports an error for a commit that is not here.
  if ((await git.attempt(['merge-base', '--is-ancestor', from, tip])).exit !== 0) return undefined;
  return Number(await git.text(['rev-list', '--count', `${from}..${tip}`]));
}

function updatesOf(
  ref: string,
  from: ObjectId | undefined,
  { tip, tags }: { readonly tip: ObjectId; readonly tags: MirroredTags },
): readonly MirrorUpdate[] {
  return [
    ...(from === tip ? [] : [{ ref, from, to: tip }]),
    ...tags.missing.map(({ name, id }) => ({ ref: `refs/tags/${name}`, from: undefined, to: id })),
  ];
}

interface Mirrored {
  readonly ref: string;
  readonly from: ObjectId | undefined;
  readonly tip: ObjectId;
  readonly commits: number;
  readonly tags: MirroredTags;
  readonly updates: readonly MirrorUpdate[];
}

function describe({ request, source, tags: here }: Mirroring, made: Mirrored): Omit<MirrorResult, 'milliseconds'> {
  const [{ record }] = source.held.chain;
  return {
    schemaVersion: 1,
    state: made.updates.length === 0 ? 'up to date' : request.extent === 'all' ? 'pushed' : 'planned',
    name: record.package,
    path: record.path,
    mirror: request.to.toString(),
    ref: made.ref,
    head: source.head,
    from: made.from ?? null,
    tip: made.tip,
    commits: made.commits,
    tags: made.tags.missing.map(({ name }) => name),
    leftOutTags: [...made.tags.unnamed, ...here.moved],
    warnings: warningsOf(here, made.tags),
  };
}

function warningsOf({ came, moved, recorded }: TagsHere, { unnamed }: MirroredTags): readonly string[] {
  const absent = recorded - came.length - moved.length;
  return [
    ...(unnamed.length === 0
      ? []
      : [`${countOf(unnamed.length, 'tag')} cannot be mirrored: neither the mirror nor the source has the original name.`]),
    ...(moved.length === 0 ? [] : [`${countOf(moved.length, 'tag')} cannot be mirrored: moved here since the import.`]),
    ...(absent <= 0 ? [] : [`${countOf(absent, 'imported tag')} are missing in this clone. Fetch them to mirror them.`]),
  ];
}
