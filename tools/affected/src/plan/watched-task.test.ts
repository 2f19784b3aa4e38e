import { expect, test } from '@jest/globals';
import { proofOf, readProof } from './watched-task.js';

test.each<[log: string, proof: ReturnType<typeof readProof>]>([
  ['', undefined],
  [proofOf('other'), undefined],
  [`a\n${proofOf('h')}\n`, { unheeded: 0 }],
  [`a\n${proofOf('h', 3)}\n`, { unheeded: 3 }],
  [`app:test: ${proofOf('h', 12)}\r\nmore`, { unheeded: 12 }],
  // What a test prints cannot make less of the last word.
  [`${proofOf('h', 1)}\n${proofOf('h', 2)}`, { unheeded: 2 }],
])('%j proves %j', (log, proof) => expect(readProof(log, 'h')).toEqual(proof));
