import type { Mask } from '@tributary/model/secrets';
import type { Receipt, ReceiptPiece, TestFailure } from './receipt.js';

/** Returns a receipt whose texts from tests are masked. Names, paths and hashes that the gate compares stay. */
export function maskReceipt<Texts extends Pick<Receipt, 'pieces' | 'failedBuilds'>>(receipt: Texts, mask: Mask): Texts {
  const { pieces, failedBuilds } = receipt;
  return {
    ...receipt,
    pieces: pieces.map((piece) => maskPiece(piece, mask)),
    ...(failedBuilds && { failedBuilds: failedBuilds.map((one) => ({ ...one, ...(one.log !== undefined && { log: mask(one.log) }) })) }),
  };
}

function maskPiece(piece: ReceiptPiece, mask: Mask): ReceiptPiece {
  const { failures, retried, log, only, problem } = piece;
  return {
    ...piece,
    ...(failures && { failures: failures.map((one) => maskFailure(one, mask)) }),
    ...(retried && { retried: retried.map((one) => maskFailure(one, mask)) }),
    ...(log !== undefined && { log: mask(log) }),
    ...(only && { only: only.map(mask) }),
    ...(problem !== undefined && { problem: mask(problem) }),
  };
}

function maskFailure({ file, line, test, message }: TestFailure, mask: Mask): TestFailure {
  return { file: file === null ? null : mask(file), line, test: mask(test), message: mask(message) };
}
