import { type Piece, pieceName } from './plan.js';

/** Pieces that one call of turborepo can run. */
export interface Call<One = Piece> {
  readonly pieces: readonly One[];
  readonly cache: 'used' | 'ignored';
}

/** All whole pieces together, those that must be fresh apart from the others, and each part by itself: it has options of its own. */
export function callsOf<One extends Pick<Piece, 'part' | 'fresh'>>(pieces: readonly One[]): readonly Call<One>[] {
  const whole = pieces.filter(({ part }) => part === null);
  const calls: readonly Call<One>[] = [
    { pieces: whole.filter(({ fresh }) => !fresh), cache: 'used' },
    { pieces: whole.filter(({ fresh }) => fresh), cache: 'ignored' },
    ...pieces.filter(({ part }) => part !== null).map((piece): Call<One> => ({ pieces: [piece], cache: piece.fresh ? 'ignored' : 'used' })),
  ];
  return calls.filter((call) => call.pieces.length > 0);
}

/** For a heading: the first few by name. */
export function describeCall({ pieces, cache }: Call): string {
  const names = pieces.slice(0, 3).map(pieceName).join(', ');
  const more = pieces.length > 3 ? ` and ${pieces.length - 3} more` : '';
  return `${names}${more}${cache === 'ignored' ? ', without a cache' : ''}`;
}
