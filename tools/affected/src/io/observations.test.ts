import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { planOfPieces, receiptFor } from '../gate/proof.fixture.js';
import { observations } from '../observation-documents.fixture.js';
import type { Observation } from '../observe/observation.js';
import type { Receipt } from '../receipt/receipt.js';
import { readPieceObservations, writePieceObservations } from './observations.js';
import { writeReceipt } from './receipts.js';

const cleanUp = cleanUpIn(afterAll);

test('observations of a shard count with the receipt of the same shard and plan beside them', () => {
  const plan = planOfPieces([['ui']]);
  const receipt = plan.shards.map((shard) => receiptFor(plan, shard))[0] as Receipt;
  const one: Observation = { ...(observations()[0] as Observation), plan: plan.hash };
  const folder = cleanUp.add(new TempFolder());
  writePieceObservations(folder.join('good'), '01', [one]);
  writeReceipt(folder.join('good'), receipt);
  writePieceObservations(folder.join('none'), '01', [one]);
  writePieceObservations(folder.join('other'), '01', [{ ...one, plan: 'x' }]);
  writeReceipt(folder.join('other'), receipt);
  writePieceObservations(folder.join('shard'), '02', [one]);
  folder.write('shard/02.json', JSON.stringify(receipt));
  expect(readPieceObservations(folder.path).map(({ file, hasReceipt }) => [file, hasReceipt])).toEqual([
    ['good/01.observations.ndjson', true],
    ['none/01.observations.ndjson', false],
    ['other/01.observations.ndjson', false],
    ['shard/02.observations.ndjson', false],
  ]);
});
