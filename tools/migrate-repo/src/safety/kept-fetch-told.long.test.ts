import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { KeptFetch, packsIn, URL } from './kept-fetch.fixture.js';
import { gitFolderOf, type MigrationFixture } from './migration.fixture.js';

// If a run fails, what it fetched over a network is kept in the tool's own folder for the next run. The long ring has more of it.

const cleanUp = cleanUpIn(afterEach);

let fetching: KeptFetch;
let fixture: MigrationFixture;

beforeEach(() => {
  fetching = new KeptFetch(cleanUp);
  ({ fixture } = fetching);
});

test('it is said, used by the next run without being fetched again, and gone after it', async () => {
  expect(await fetching.failAfterFetching()).toContain(
    'The data fetched for left-pad is kept for the next run; "migrate-repo discard left-pad" removes it.',
  );
  const [pack = ''] = packsIn(fetching.keptFolder());
  const { ino } = statSync(join(fetching.keptFolder(), 'objects/pack', pack));
  await fetching.succeeds(['left-pad', '--from', URL]);
  // It is the same file.
  expect(statSync(join(gitFolderOf(fixture.monorepo), 'objects/pack', pack)).ino).toBe(ino);
  await fixture.accepted(['verify', 'left-pad', '--ref', 'migrate/left-pad']);
});
