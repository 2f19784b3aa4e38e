import { countOf } from '../describe.js';
import type { Observation } from '../observe/observation.js';

/** Returns a sentence for each reason why observations are incomplete, with the first piece and the number of pieces. */
export function describeIncomplete(observations: readonly Observation[]): readonly string[] {
  const incomplete = observations.filter(({ complete }) => !complete);
  const reasons = new Set(incomplete.flatMap(({ gaps }) => gaps.map(({ gap }) => gap)));
  return [...reasons].map((reason) => {
    const own = incomplete.flatMap(({ workspace, gaps }) =>
      gaps.filter(({ gap }) => gap === reason).map(({ detail }) => ({ workspace, detail })),
    );
    const pieces = new Set(own.map(({ workspace }) => workspace));
    const [first] = own;
    return `${countOf(pieces.size, 'observation')} of ${observations.length} ${pieces.size === 1 ? 'is' : 'are'} not complete: ${reason}, in ${first?.workspace} (${first?.detail}).`;
  });
}
