import type { Plan } from '../plan/plan.js';
import { groupIntoLegs, shardIds } from './legs.js';

/**
 * A Jenkins Pipeline with a longer list is not compiled: "List expressions can only contain up to 250 elements" (JENKINS-47363; of a map it
 * takes 125). Jenkins knows no limit for the branches of `parallel`.
 */
const MOST_LEGS = 250;

/**
 * A Groovy file for the step `load`, which gives a list back: for each leg the ids of its shards, the longest leg first. Without work it is
 * empty. A list, and no map: it takes twice as many, and the first id of a leg is its name.
 */
export function emitJenkins({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS).map((leg) => `    '${shardIds(leg)}',\n`);
  return `/* Written by affected: the shards of each machine, the longest first. */\nreturn [${legs.length === 0 ? '' : `\n${legs.join('')}`}]\n`;
}
