import { test } from '@jest/globals';
import { expectGrowthToKeepIds } from './grown.fixture.js';

// What a sync stands on: the commits that came before get the ids that they have. The long ring has more of it.

test('an import of a source that has grown contains the import from before', async () => {
  await expectGrowthToKeepIds(3);
});
