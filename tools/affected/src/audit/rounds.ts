import { isSamePlace, type Mutant } from './mutant.js';

/** Divides changes into as few rounds as it easily can: all changes of a round are made at once, so they are of different places. */
export function roundsOf<Change extends Mutant>(changes: readonly Change[]): readonly (readonly Change[])[] {
  const rounds: Change[][] = [];
  for (const change of changes) {
    const round = rounds.find((others) => !others.some((other) => isSamePlace(other, change)));
    if (round === undefined) rounds.push([change]);
    else round.push(change);
  }
  return rounds;
}
