import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { ComparedPercentile, LeadTimeComparison } from '../report/comparison.js';
import { formatLength, formatRate } from './times.js';

const ENDS = { published: 'publish', upgraded: "the consumer's upgrade", released: "the consumer's release" } as const;
const BEGINS = { merged: 'merge', approved: 'approval' } as const;

/** Returns the first sentence of a comparison. It calls a figure changed only if the data support the claim. */
export function describeHeadline({ question, p50, p90, upgrades }: LeadTimeComparison): string {
  const [old, now] = [wayOf(question.before.lead), wayOf(question.after.lead)];
  const gone = upgrades.verdict === 'fewer' ? [`${formatRate(upgrades.gonePerMonth)} fewer upgrades a month`] : [];
  const { difference } = p50;
  if (difference === undefined || !isClaimed(p50)) {
    const sentence = `These data do not show whether changes take less time from ${now} than before.`;
    return gone.length === 0 ? sentence : `${sentence} ${gone[0]}.`;
  }
  const [took, takes] = [formatLength(difference.before), formatLength(difference.after)];
  const way =
    old === now ? `From ${old} took ${took}, now takes ${takes} (P50)` : `From ${old} took ${took}; from ${now} now takes ${takes} (P50)`;
  return `${[[way, ...tailOf(p90)].join(', '), ...gone].join('; ')}.`;
}

/** Returns the P90, which is shown beside the P50 only if the data support a claim about it. */
function tailOf(p90: ComparedPercentile): readonly string[] {
  const { difference } = p90;
  return difference === undefined || !isClaimed(p90) ? [] : [`P90 ${formatLength(difference.before)} → ${formatLength(difference.after)}`];
}

function isClaimed({ verdict }: ComparedPercentile): boolean {
  return verdict === 'shorter' || verdict === 'longer';
}

function wayOf({ ready, until }: LeadTimeQuestion): string {
  return `${BEGINS[ready]} to ${ENDS[until]}`;
}
