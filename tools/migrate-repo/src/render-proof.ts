import type { ContainedImport, FetchedResult, VerifyAllResult, VerifyResult } from './result/import-result.js';
import { countOf } from './text.js';

/** Renders the proof of one import. */
export function renderProof(result: VerifyResult): string {
  return [
    `${result.name} in ${result.path}, from ${result.source}`,
    tellContained(result),
    tellMethod(result),
    `${countOf(result.merges, 'merge')}, ${countOf(result.authors, 'author')}; ${tellTags(result)}.`,
    tellCompared(result),
  ].join('\n');
}

/** Renders the proofs of all imports. Failures come last, where users look first. */
export function renderProofs({ ref, refCommit, proven, removed, failed }: VerifyAllResult): string {
  const place = tellRef({ ref, refCommit });
  if (proven.length + failed.length === 0) return `${place} contains no import.`;
  const lines = proven.map((one) => `${one.name}  ${one.path}, ${countOf(one.commits, 'commit')}, ${tellMerge(one)}, proof: ${one.method}`);
  const faults = failed.map((one) => `${one.message} [${one.code}]${one.hint === null ? '' : `\n  hint: ${one.hint}`}`);
  const gone = removed.map(
    ({ name, path, by }) => `${name}  ${path} no longer exists: ${by.slice(0, 10)} removed it. Its history is still contained.`,
  );
  const compared = tellAllCompared(proven);
  const sum = `${place}: ${countOf(proven.length, 'import')} proven, ${failed.length} not${tellGone(removed.length)}.`;
  return [lines, gone, faults, [...compared, sum]]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

/** Says what the proofs compared: the records in this clone, or the sources. */
function tellAllCompared(proven: VerifyAllResult['proven']): string[] {
  if (proven.length === 0) return [];
  const again = proven.filter(({ fetched }) => fetched !== null).length;
  if (again === proven.length) return ['Compared with their import records and their sources. Nothing was changed.'];
  const record = 'Compared with their import records only. To compare with the sources, add --refetch.';
  return [
    again === 0
      ? `${record} Nothing was changed.`
      : `Compared with their import records, ${again} of them also with the source. Nothing was changed.`,
  ];
}

/** Reports folders that were removed on purpose. They are not failures, but readers must not assume that they exist. */
function tellGone(count: number): string {
  return count === 0 ? '' : `; ${count === 1 ? 'the folder of 1 is' : `the folders of ${count} are`} gone`;
}

function tellContained(result: VerifyResult): string {
  const moved = result.movedTo === null ? '' : ` Its folder is now ${result.movedTo}.`;
  return `${tellRef(result)} contains it: import ${result.merge.slice(0, 10)}, ${tellMerge(result)}.${moved}`;
}

function tellMerge({ contained, mergedBy, branch, ref }: Pick<ContainedImport, 'contained' | 'mergedBy' | 'branch' | 'ref'>): string {
  switch (contained) {
    case 'merged':
      return `merged by ${(mergedBy ?? '').slice(0, 10)}`;
    case 'on its line':
      return `on ${ref} itself`;
    case 'branch of the migration':
      return `not merged yet: ${branch === ref ? 'it' : (branch ?? ref)} is the branch of the migration`;
  }
}

function tellRef({ ref, refCommit }: Pick<ContainedImport, 'ref' | 'refCommit'>): string {
  return refCommit.startsWith(ref) ? refCommit.slice(0, 10) : `${ref} (${refCommit.slice(0, 10)})`;
}

function tellMethod({ method, commits, sourceCommit, path }: VerifyResult): string {
  const history = countOf(commits, 'commit');
  const tip = sourceCommit.slice(0, 10);
  switch (method) {
    case 'inverse':
      return `Proof: reversing the rewrite of ${history} reproduces the source's last commit, ${tip}. Trees, authors, dates and messages are intact.`;
    case 'ancestor':
      return `Proof: the source's history (${history}) is here with its original ids, and ${path} has the files of its last commit.`;
    case 'moved again':
      return `Proof: fetching and rewriting the source again gives the same history (${history}).`;
    case 'found again':
      return `Proof: the source's history (${history}) is here with its original ids, and the source still has its last commit, ${tip}.`;
    case 'recorded':
      return `Proof: the history (${history}) matches the import record.`;
  }
}

function tellTags({ tags }: VerifyResult): string {
  switch (tags.state) {
    case 'proven':
      return `${countOf(tags.recorded, 'tag')}, unchanged`;
    case 'incomplete':
      return `${tags.here} of its ${countOf(tags.recorded, 'tag')} in this clone`;
    case 'not in this clone':
      return `none of its ${countOf(tags.recorded, 'tag')} in this clone`;
    case 'none recorded':
      return 'no tags were imported';
  }
}

function tellCompared({ fetched }: VerifyResult): string {
  if (fetched === null) return 'Compared only with the import record. To compare with the source, add --refetch. Nothing was changed.';
  return `Compared with the source: ${shortBranch(fetched)} of ${fetched.source}${fetched.state === 'renamed' ? ', now its default branch; the recorded one no longer exists' : ''}. Nothing was changed.`;
}

function shortBranch({ ref }: FetchedResult): string {
  return ref.replace(/^refs\/heads\//, '');
}
