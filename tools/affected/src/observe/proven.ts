import type { ReceiptPiece } from '../receipt/receipt.js';
import type { Observation } from './observation.js';

type Proof = Pick<ReceiptPiece, 'problem' | 'unheeded' | 'untested'>;

/** Adds a gap if the piece did not prove that its tests passed. `piece`: that of the receipt; `undefined` if it is missing. */
export function withProof(observation: Observation, piece: Proof | undefined): Observation {
  const detail = piece === undefined ? 'its result is not in the receipt' : flawOf(piece);
  if (detail === undefined) return observation;
  return { ...observation, complete: false, gaps: [...observation.gaps, { gap: 'not-proven', detail }] };
}

function flawOf({ problem, unheeded, untested }: Proof): string | undefined {
  if (problem !== undefined) return problem.slice(0, 200);
  if (unheeded !== undefined) return `${unheeded} tests failed, though it passed`;
  return untested === true ? 'no test ran' : undefined;
}
