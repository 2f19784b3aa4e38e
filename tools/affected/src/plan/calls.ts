import { type Piece, pieceName } from './plan.js';

/** The pieces of one call of turborepo. */
export interface Call<One = Piece> {
  readonly pieces: readonly One[];
  readonly cache: 'used' | 'local' | 'ignored';
}

/** Groups pieces by their task, in the order in which the tasks come. */
export function groupByTask<One extends { readonly task?: string | undefined }>(pieces: readonly One[]): readonly (readonly One[])[] {
  const groups = new Map<string | undefined, One[]>();
  for (const piece of pieces) {
    const group = groups.get(piece.task);
    if (group === undefined) groups.set(piece.task, [piece]);
    else group.push(piece);
  }
  return [...groups.values()];
}

type Callable = Pick<Piece, 'part' | 'fresh'> & { readonly task?: string | undefined };

/**
 * Groups pieces into calls, each for one task: all whole pieces, separately those that must be fresh. Each that runs only some test files is
 * alone, because it has its own options.
 */
export function callsOf<One extends Callable>(pieces: readonly One[]): readonly Call<One>[] {
  return groupByTask(pieces).flatMap(callsOfTask);
}

function callsOfTask<One extends Callable>(pieces: readonly One[]): readonly Call<One>[] {
  const isWhole = ({ part }: One): boolean => part === null;
  const whole = pieces.filter(isWhole);
  const calls: readonly Call<One>[] = [
    { pieces: whole.filter(({ fresh }) => !fresh), cache: 'used' },
    { pieces: whole.filter(({ fresh }) => fresh), cache: 'ignored' },
    ...pieces.filter((piece) => !isWhole(piece)).map((piece): Call<One> => ({ pieces: [piece], cache: piece.fresh ? 'ignored' : 'used' })),
  ];
  return calls.filter((call) => call.pieces.length > 0);
}

/** Returns the first three names, for a heading. */
export function describeCall({ pieces, cache }: Call): string {
  const names = pieces.slice(0, 3).map(pieceName).join(', ');
  const more = pieces.length > 3 ? ` and ${pieces.length - 3} more` : '';
  return `${names}${more}${cache === 'used' ? '' : '; cached results do not count'}`;
}
