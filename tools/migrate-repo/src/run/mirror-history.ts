import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import { ObjectWriter } from '@tributary/git/object-writer';
import { readNamedBlobs } from '@tributary/git/objects';
import type { ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { NamedRepository } from '@tributary/model/message-mapping';
import type { AbsolutePath } from '@tributary/model/paths';
import { parseManifest } from '@tributary/workspaces/manifest';
import { listCommits, MirroredHistory, type MirrorPlace } from '../history/mirror.js';
import type { ObjectSink } from '../history/rewrite.js';
import { listHistory } from '../history/source-history.js';
import type { KeptMirror, MirrorState } from '../io/kept-mirror.js';
import type { LocalRepository } from '../io/target.js';
import { nameInManifest } from '../plan/name-repository.js';
import { separatePaths } from '../plan/separate-paths.js';
import type { ImportChain, readHeld } from './sync-chain.js';
import { broken } from './verify.js';

/** The input of a mirror. */
export interface MirrorSource {
  readonly repository: LocalRepository;
  readonly head: CommitId;
  readonly held: Awaited<ReturnType<typeof readHeld>>;
  /** Commits of the imports that only tags reach. */
  readonly tagged: readonly ObjectId[];
  readonly signal: AbortSignal;
}

/** The history of a mirror, in a scratch repository. */
export interface MadeMirror {
  readonly git: Git;
  readonly history: MirroredHistory;
  readonly tip: ObjectId;
  /** Writes new objects. The caller finishes it. */
  readonly sink: ObjectSink;
}

/**
 * Returns the monorepo's name in its root package.json at the time of the import, because all clones must create the
 * same commits. Throws `MANIFEST_INVALID`.
 */
export async function nameMonorepo({ git }: LocalRepository, chain: ImportChain): Promise<NamedRepository | undefined> {
  const [text] = await readNamedBlobs(git, [`${firstOf(chain).merge}:package.json`]);
  return text === undefined ? undefined : nameInManifest(parseManifest(text.toString('utf8'), 'package.json'));
}

/** Creates the history of a mirror, or continues a kept one. Throws `PROOF_FAILED`, `GIT_FAILED`. */
export async function makeMirror(
  source: MirrorSource,
  work: { readonly place: MirrorPlace; readonly kept: KeptMirror; readonly newScratch: () => AbsolutePath },
): Promise<MadeMirror & { readonly scratch: AbsolutePath; readonly kept: KeptMirror['state'] }> {
  const { place, kept } = work;
  const state = await usable(source, kept.state);
  const scratch = work.newScratch();
  borrow(scratch, [join(source.repository.gitDir, 'objects'), ...(state === undefined ? [] : [kept.objects])]);
  const git = plumbing(scratch, { signal: source.signal });
  const sink = new ObjectWriter(git, place.format);
  const history = new MirroredHistory(place, state?.images);
  if (state === undefined) await restoreImports(git, source, { history, sink });
  const since = state === undefined ? `^${firstOf(source.held.chain).merge}^@` : `^${state.head}`;
  await history.extend(git, await listCommits(git, [source.head, since, ...imported(source).map((tip) => `^${tip}`)]), sink);
  const tip = history.images.get(source.head);
  if (tip === undefined) throw notThere(source);
  return { git, history, tip, sink, scratch, kept: state };
}

/** Returns the kept state; `undefined` if its commit is not an ancestor of the head, and so belongs to another branch. */
async function usable({ repository, head }: MirrorSource, state: MirrorState | undefined): Promise<MirrorState | undefined> {
  if (state === undefined) return undefined;
  return (await repository.git.attempt(['merge-base', '--is-ancestor', state.head, head])).exit === 0 ? state : undefined;
}

/** Lets a repository read the objects of others. */
function borrow(scratch: AbsolutePath, folders: readonly string[]): void {
  mkdirSync(join(scratch, 'objects', 'info'), { recursive: true });
  writeFileSync(join(scratch, 'objects', 'info', 'alternates'), folders.map((folder) => `${folder}\n`).join(''));
}

async function restoreImports(
  git: Git,
  { held: { chain }, tagged, repository }: MirrorSource,
  { history, sink }: Pick<MadeMirror, 'history' | 'sink'>,
): Promise<void> {
  const records = chain.map(({ record }) => record);
  const [{ strategy, path, messages }] = records as [ImportRecord];
  if (strategy === 'merge') {
    await history.adopt(git, await listHistory(git, [...records.map(({ sourceCommit }) => sourceCommit), ...tagged]));
    for (const { importedTip, sourceCommit } of records) history.equate(importedTip, sourceCommit);
    return;
  }
  const ids = await listHistory(git, [...records.map(({ importedTip }) => importedTip), ...tagged]);
  const originals = await history.restore(git, { format: repository.format, path, messages }, ids, sink);
  for (const record of records) {
    if ('flaw' in originals) throw broken(record, originals.flaw);
    const original = originals.get(record.importedTip);
    if (original !== record.sourceCommit) throw broken(record, `reversing the rewrite gives ${original} instead of ${record.sourceCommit}`);
  }
}

/** Returns the last commits of all imports: of the package itself, which is restored, and of others, which have no file in its folder. */
function imported({ held: { chain, survey }, tagged }: MirrorSource): readonly ObjectId[] {
  const [{ record: own }] = chain;
  const others = survey.imports.filter(
    ({ record, fate }) => (fate.state === 'held' || fate.state === 'synced') && separatePaths(record.path, own.path),
  );
  return [...[...chain, ...others].map(({ record }) => record.importedTip), ...tagged];
}

function firstOf(chain: ImportChain): ImportChain[0] {
  return chain.at(-1) ?? chain[0];
}

function notThere({ held: { chain } }: MirrorSource): ToolError {
  const [{ record }] = chain;
  return broken(record, `no commit of the mirror corresponds to the last one of the monorepo, which lacks ${record.path}`);
}
