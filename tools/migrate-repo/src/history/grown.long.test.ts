import { test } from '@jest/globals';
import { expectGrowthToKeepIds } from './grown.fixture.js';

test('an import of any source that has grown contains the import from before', async () => {
  await expectGrowthToKeepIds(Number(process.env['GROWN_RUNS'] ?? 30));
}, 1_800_000);
