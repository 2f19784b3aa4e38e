import compare from 'semver/functions/compare.js';
import { groupBy } from '../align/lock/reading.js';
import { isBreaking, type Moved } from '../align/version-change.js';
import type { Question } from '../topics.js';
import { namesOf } from './names.js';

/** A package that is not what was locked, for those who had locked it. */
export interface MovedFor extends Moved {
  /** Nobody: the monorepo as a whole. */
  readonly for: readonly string[];
  /** Packages of the registry that ask for it; none: those who had it locked ask themselves. */
  readonly through: readonly string[];
}

/** What is said around the list. */
interface Words extends Pick<Question, 'byDefault' | 'toChange'> {
  readonly before: (how: string) => string;
}

/** What may break in a question of its own, which comes first; patches stand in the table alone. */
export function movedSentences(moved: readonly MovedFor[], words: Words): readonly Question[] {
  const weighty = moved.filter(({ change }) => change.level !== 'patch');
  const [breaking, others] = [weighty.filter(isBreaking), weighty.filter((one) => !isBreaking(one))];
  return [
    ...movedSentence(breaking, words.before('with which they may not be compatible'), words),
    ...movedSentence(others, words.before('more than a patch away'), words),
  ];
}

const LISTED = 12;

function movedSentence(moved: readonly MovedFor[], before: string, { byDefault, toChange }: Words): readonly Question[] {
  // Through which packages of the registry stands in the table.
  const groups = groupBy(moved, ({ name, change, through }) => JSON.stringify([name, change.to, through.length === 0]));
  if (groups.size === 0) return [];
  const all = [...groups.values()].map(oneMoved);
  const more = all.length > LISTED ? `; and ${all.length - LISTED} more` : '';
  return [{ text: `${before}: ${all.slice(0, LISTED).join('; ')}${more}.`, byDefault, toChange, risk: 'versions' }];
}

/** `time 3.1.0 instead of 2.9.0 to 3.0.0 for scale, axis`: who had which stands in the table. */
function oneMoved(group: readonly MovedFor[]): string {
  const from = [...new Set(group.map(({ change }) => change.from))].sort(compare);
  const span = from.length === 1 ? from[0] : `${from[0]} to ${from.at(-1)}`;
  const whom = [...new Set(group.flatMap((one) => one.for))];
  const [first] = group;
  const through = first === undefined || first.through.length === 0 ? '' : ' through packages of the registry';
  return `${first?.name} ${first?.change.to} instead of ${span} for ${whom.length === 0 ? 'the monorepo' : namesOf(whom)}${through}`;
}
