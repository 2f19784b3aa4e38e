import { expect, test } from '@jest/globals';
import { renderShadow } from './render-shadow.js';
import { judgeLedger } from './shadow/judge-ledger.js';
import { MadeLedger, selecting } from './shadow/shadow-documents.fixture.js';

test.each([
  [1, 0, 'selects 1 of 2 workspaces.\n'],
  [2, 1, 'select 1 of 2 workspaces. 1 of them selects all.\n'],
  [3, 2, 'select 1 of 2 workspaces. 2 of them select all.\n'],
])('what a run of %d changes selects, with %d that select all', (changes, everything, expected) => {
  const ledger = new MadeLedger();
  ledger.add({ passed: ['app', 'lib'] });
  const entry = ledger.add({ failed: ['app'], passed: ['lib'] }, { ...selecting('app'), changes, everything });
  expect(renderShadow({ schemaVersion: 1, entry, ...judgeLedger(ledger.entries), warnings: [] })).toContain(` ${expected}`);
});
