import type { Plan } from '../plan/plan.js';
import { groupIntoLegs, shardIds } from './legs.js';

/**
 * GitHub refuses a job whose matrix has more: "produced 257 configurations which exceeds the maximum of 256".
 * Source: docs.github.com, "Actions limits"; what is refused is a job, as NVIDIA/aicr#1171 and MetaMask/core#9149 show.
 */
const MOST_LEGS = 256;

/**
 * The lines for `$GITHUB_OUTPUT`: `has_work=true`, and `matrix={"include":[{"leg":"01","shards":"01 65"}]}` on one line, the longest leg
 * first, because GitHub starts them in this order. Without work the list is empty, and `has_work` is what a job must ask: GitHub fails a
 * run whose matrix is empty. Ids are all it holds, so five thousand shards stay far below the 1 MB (UTF-16) that a job may hand on.
 */
export function emitGithub({ shards }: Plan): string {
  const include = groupIntoLegs(shards, MOST_LEGS).map((leg) => ({ leg: leg.id, shards: shardIds(leg) }));
  return `has_work=${include.length > 0}\nmatrix=${JSON.stringify({ include })}\n`;
}
