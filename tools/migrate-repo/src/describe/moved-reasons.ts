import compare from 'semver/functions/compare.js';
import { groupBy } from '../align/lock/content.js';
import { isBreaking, type Moved } from '../align/version-change.js';
import type { TopicId } from '../topics.js';
import type { Reason } from './part.js';

/** A package whose version differs from the locked one, and who had it locked. */
export interface MovedFor extends Moved {
  /** Empty for the monorepo as a whole. */
  readonly for: readonly string[];
  /** Registry packages that require it; empty if the packages in `for` require it themselves. */
  readonly through: readonly string[];
}

/**
 * Returns the reasons: only changes that may break. All others are within what versions promise, and only in the tables.
 */
export function movedReasons(moved: readonly MovedFor[], topic: TopicId): readonly Reason[] {
  // The table has the registry packages in between.
  const groups = groupBy(moved.filter(isBreaking), ({ name, change, through }) => JSON.stringify([name, change.to, through.length === 0]));
  return [...groups.values()].flatMap((group) => reasonsOf(group, topic));
}

/** Returns reasons such as `scale, axis: time: 3.1.0 instead of 2.9.0 to 3.0.0`. The table has the version of each package. */
function reasonsOf(group: readonly MovedFor[], topic: TopicId): readonly Reason[] {
  const [first] = group;
  if (first === undefined) return [];
  const from = [...new Set(group.map(({ change }) => change.from))].sort(compare);
  const span = from.length === 1 ? from[0] : `${from[0]} to ${from.at(-1)}`;
  const through = first.through.length === 0 ? '' : ' through packages of the registry';
  const detail = `${first.change.to} instead of ${span}${through}`;
  const whom = [...new Set(group.flatMap((one) => one.for))];
  return (whom.length === 0 ? ['the monorepo'] : whom).map((name) => ({
    topic,
    package: name,
    place: first.name,
    text: 'The version differs from the locked one.',
    detail,
  }));
}
