import { nameAsText } from '@tributary/git/tree';
import { type ObjectId, type RefName, shortRef } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { describeAlignment } from '../describe/describe.js';
import { withoutAsked } from '../describe/new-decisions.js';
import type { MovedHistory } from '../history/move.js';
import type { HistoryProof } from '../history/prove.js';
import type { Target } from '../io/target.js';
import type { SyncResult } from '../result/result.js';
import type { BuildOrder } from './build-order.js';
import type { ChangedFiles } from './changed-files.js';
import { addressOf } from './nothing-new.js';
import type { PreparedMerge, SyncedBranch } from './sync-build.js';
import type { ImportChain } from './sync-chain.js';
import type { SyncRequest } from './sync-request.js';
import type { FetchedAgain } from './sync-source.js';

/** What each part of a sync needs. */
export interface Syncing extends Pick<BuildOrder, 'identity' | 'signerIn' | 'align' | 'services' | 'progress'> {
  readonly request: SyncRequest;
  readonly target: Target;
  readonly chain: ImportChain;
  readonly branch: RefName;
}

/** What the description of a sync needs. */
type Described = Pick<Syncing, 'request' | 'target' | 'chain' | 'branch'>;

/** The outcome of a sync that has fetched the source. */
export interface SyncOutcome {
  readonly state: SyncResult['state'];
  readonly fetched: FetchedAgain;
  readonly moved: MovedHistory;
  readonly commits: number;
  readonly tags: SortedTags;
  readonly proof: HistoryProof | undefined;
  readonly prepared?: PreparedMerge;
  readonly built?: SyncedBranch;
  readonly changed?: ChangedFiles;
  readonly worktree?: AbsolutePath;
}

/** The tags of the source, compared with the records. */
export interface SortedTags {
  /** Tags that no record has. */
  readonly fresh: MovedHistory['tags'];
  /** Tags that the source has changed since they were imported. */
  readonly moved: readonly string[];
  /** Fresh tags whose names the monorepo uses for something else. */
  readonly clashing: (refs: ReadonlyMap<string, ObjectId>) => readonly { readonly name: string; readonly newName: string }[];
}

/** Describes a sync that has fetched the source. */
export function describeSync(
  syncing: Described,
  outcome: SyncOutcome,
  { decided, elapsed }: { readonly decided: Readonly<Record<string, string>>; readonly elapsed: number },
): SyncResult {
  const { state, fetched, moved, commits, tags, proof, prepared, built, worktree, changed } = outcome;
  const done = state === 'synced' ? built : undefined;
  const conflicts = [...new Set(prepared?.merged.stages.map(({ path }) => nameAsText(path)))];
  const alignment = built?.alignment;
  const asked = prepared?.asked === undefined ? [] : describeAlignment(prepared.asked, 'would be', decided);
  const left = prepared?.merged.left ?? [];
  return {
    ...describeRecorded(syncing),
    state,
    source: fetched.facts.request.url.toString(),
    sourceRef: fetched.facts.ref,
    to: fetched.facts.tip,
    importedTip: moved.tip,
    commits,
    compared: { by: 'fetched', tags: comparesTags(syncing) ? fetched.facts.tags.length : null },
    branch: commits === 0 ? null : shortRef(syncing.branch),
    tip: done?.tip ?? null,
    merge: done?.merge ?? null,
    tags: tags.fresh.map(({ name }) => name),
    movedTags: tags.moved,
    conflicts,
    changed: changed ?? null,
    worktree: worktree ?? null,
    alignment:
      alignment === undefined ? null : withoutAsked(describeAlignment(alignment, done === undefined ? 'would be' : 'is', decided), asked),
    proof: proof === undefined ? null : { method: proof.method, ...proof.counts, tags: proof.tags, importedTip: moved.tip },
    warnings: [
      ...fetched.warnings,
      ...(prepared?.workflows ?? []).map(
        (file) =>
          `The source changed the workflow ${file}, which GitHub does not run there: change its copy in the workflows of the root, if it has one.`,
      ),
      ...left.map((file) => `${file} was not changed, because both the monorepo and the source have changed it: review it.`),
    ],
    milliseconds: elapsed,
  };
}

/** Describes a sync whose source announced nothing new. Nothing was fetched. */
export function describeUnchanged(syncing: Described, tags: number, elapsed: number): SyncResult {
  const { request, chain } = syncing;
  const [{ record }] = chain;
  return {
    ...describeRecorded(syncing),
    state: 'nothing new',
    compared: { by: 'announced', tags: comparesTags(syncing) ? tags : null },
    source: addressOf(record, request).toString(),
    sourceRef: record.sourceRef,
    to: record.sourceCommit,
    importedTip: record.importedTip,
    ...{ commits: 0, branch: null, tip: null, merge: null, tags: [], movedTags: [], conflicts: [], changed: null, worktree: null },
    ...{ alignment: null, proof: null, warnings: [], milliseconds: elapsed },
  };
}

type Recorded = Pick<SyncResult, 'schemaVersion' | 'name' | 'path' | 'from' | 'previousTip' | 'strategy' | 'base'>;

function describeRecorded({ request, target, chain }: Described): Recorded {
  const [{ record }] = chain;
  const { path, sourceCommit: from, importedTip: previousTip, strategy } = record;
  return { schemaVersion: 1, name: request.name, path, from, previousTip, strategy, base: target.facts.head };
}

function comparesTags({ request, chain }: Described): boolean {
  return request.tags === 'recorded' && chain[0].record.tags !== undefined;
}
