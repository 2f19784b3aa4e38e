import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { HEAD, planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import { writePlan } from '../io/plan-files.js';

const cleanUp = cleanUpIn(afterEach);
const AZURE = '##vso[task.complete result=Succeeded;]';

// Receipts come from jobs that ran the code of a pull request, and the agent that runs the gate reads the gate's log.
test('no name of a receipt, and nothing in one, is a command to the log of the gate', async () => {
  const folder = cleanUp.add(new TempFolder());
  const plan = planOfPieces([['ui']]);
  writePlan(folder.join('plan.json'), plan);
  const [receipt] = receiptsFor(plan);
  const pieces = receipt?.pieces.map((piece) => ({ ...piece, workspace: AZURE }));
  folder.write('receipts/01.json', JSON.stringify({ ...receipt, pieces }));
  folder.write('receipts/::add-mask::a.json', '{}');
  folder.write(`receipts/${AZURE}.json`, '{}');
  const gate = ['gate', '--plan', 'plan.json', '--receipts', 'receipts', '--commit', HEAD, '--summary', 'gate.md'];
  const read = await runCli('affected', gate, { cwd: folder.path });
  const json = await runCli('affected', [...gate, '--json'], { cwd: folder.path });
  const collected = await runCli('affected', ['timings', 'collect', '--receipts', 'receipts', '--into', 't.json'], { cwd: folder.path });
  expect([read.code, json.code, collected.code]).toEqual([1, 1, 0]);
  expect(read.stdout).toContain('vso[task.complete result=Succeeded;] ran, but was not planned there.');
  for (const { stdout, stderr } of [read, json, collected]) expect(`${stdout}${stderr}`).not.toMatch(/##|^\s*::/m);
  expect(JSON.stringify(JSON.parse(json.stdout))).toContain(AZURE);
  // The file is not printed: it goes to a page that shows Markdown.
  expect(readFileSync(folder.join('gate.md'), 'utf8')).toContain(`\`Shard 01: ${AZURE} ran`);
});
