import { test } from '@jest/globals';
import { expectGrowthToKeepIds } from './grown.fixture.js';

// A sync relies on this: the commits of an earlier import keep their ids. The long ring has more of it.

test('an import of a source that has grown contains the import from before', async () => {
  await expectGrowthToKeepIds(3);
});
