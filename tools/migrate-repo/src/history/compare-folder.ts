import type { Git } from '@tributary/git/git';
import { type NamedObject, readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { parseCommit } from './commit.js';
import { HistoryCounter, type HistoryCounts } from './counts.js';
import type { Flaw, Place } from './invert.js';
import type { CommitMap } from './rewrite.js';
import { slices } from './slices.js';

/** New commits with the source commits they were made from, `ids[i]` from `sources[i]`. */
interface Pairs {
  readonly ids: readonly ObjectId[];
  readonly sources: readonly ObjectId[];
}

/**
 * Compares each commit of a moved folder history with the source commit it was made from: the folder's tree, and every byte behind the
 * parents. Throws `GIT_FAILED`; answers with what was counted, or with the first `Flaw`.
 */
export async function compareFolderHistory(
  git: Git,
  place: Place & { readonly subdirectory: RepoPath },
  moved: { readonly ids: readonly ObjectId[]; readonly madeFrom: CommitMap },
): Promise<HistoryCounts | Flaw> {
  const counter = new HistoryCounter();
  for (const ids of slices(moved.ids)) {
    const sources = ids.map((id) => moved.madeFrom.get(id)).filter((source) => source !== undefined);
    if (sources.length < ids.length) return { flaw: 'a new commit was made from no commit of the source' };
    const flaw = (await compareTexts(git, { ids, sources }, counter)) ?? (await compareTrees(git, place, { ids, sources }));
    if (flaw !== undefined) return flaw;
  }
  return counter.result();
}

async function compareTexts(git: Git, pairs: Pairs, counter: HistoryCounter): Promise<Flaw | undefined> {
  const olds = await readObjects(git, pairs.sources);
  const news = await readObjects(git, pairs.ids);
  for (const [at, object] of news.entries()) {
    const parts = parseCommit(object.content);
    const old = olds[at];
    counter.add(parts);
    if (old === undefined || !parseCommit(old.content).rest.equals(parts.rest))
      return { flaw: `the commit ${object.id} does not say what ${pairs.sources[at]} says` };
  }
  return undefined;
}

async function compareTrees(git: Git, place: Place & { readonly subdirectory: RepoPath }, pairs: Pairs): Promise<Flaw | undefined> {
  const news = await resolveNames(
    git,
    pairs.ids.map((id) => `${id}:${place.path}`),
  );
  const olds = await resolveNames(
    git,
    pairs.sources.map((id) => `${id}:${place.subdirectory}`),
  );
  const at = news.findIndex((entry, index) => entry?.id !== treeId(olds[index]));
  if (at < 0) return undefined;
  return {
    flaw: `the commit ${pairs.ids[at]} does not hold under ${place.path} what ${pairs.sources[at]} holds under ${place.subdirectory}`,
  };
}

/** A file where the folder should be counts as no folder. */
function treeId(entry: NamedObject | undefined): ObjectId | undefined {
  return entry?.type === 'tree' ? entry.id : undefined;
}
