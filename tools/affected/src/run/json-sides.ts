import { readNamedBlobs } from '@tributary/git/objects';
import { isPlainObject } from '@tributary/model/plain-object';
import { readJsonWithComments } from '@tributary/workspaces/json';
import { changedKeys } from '@tributary/workspaces/same-value';
import { objectName } from '../io/reading.js';
import type { AffectedInputs } from './inputs.js';

export type TwoCommits = Pick<AffectedInputs, 'git' | 'repository' | 'headTree' | 'mergeBase'>;

/** The settings of Lerna. */
export const LERNA = 'lerna.json';

/**
 * Tells whether only `version` changed in the settings of Lerna, which Lerna alone writes and reads, as it publishes. Throws `GIT_FAILED`.
 * Source: `schemas/lerna-schema.json` of lerna 10.
 */
export async function isReleaseOfLerna(inputs: TwoCommits): Promise<boolean> {
  return (await sidesThatDifferIn(inputs, LERNA, 'version')) !== undefined;
}

/** Returns the values of a JSON file at both commits; `undefined` if another key than `only` changed, or if they cannot be compared. */
export async function sidesThatDifferIn(
  { git, repository, headTree, mergeBase }: TwoCommits,
  path: string,
  only: string,
): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  const names = [mergeBase ?? '', headTree].map((commit) => objectName(commit, repository.project, path));
  const texts = mergeBase === null ? [] : await readNamedBlobs(git, names);
  const [before, after] = texts.map((text) => {
    const read = readJsonWithComments(text?.toString('utf8') ?? '');
    return 'value' in read && isPlainObject(read.value) ? read.value : undefined;
  });
  if (before === undefined || after === undefined) return undefined;
  return changedKeys(before, after, () => 'counts').some((key) => key !== only) ? undefined : [before, after];
}
