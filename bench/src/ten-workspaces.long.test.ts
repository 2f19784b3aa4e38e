import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment } from './affected-process.js';
import { askAffected, PULL_REQUESTS, TenWorkspaces, workspacesIn } from './ten-workspaces.js';

const cleanUp = cleanUpIn(afterAll);
const work = cleanUp.add(new TempFolder());
let ten: TenWorkspaces;

beforeAll(async () => {
  ten = await TenWorkspaces.create(work.path);
});
afterAll(() => ten.close());

// docs/compare.md has the numbers.
test.each(PULL_REQUESTS)('of a change of its $name, affected selects what it can break, and the owner of a README', async (request) => {
  await ten.open(request);
  const folders = await askAffected({ folder: ten.repo.path, base: 'main', head: 'HEAD', env: benchEnvironment(work.path) });
  expect([...workspacesIn(folders)].sort()).toEqual([...request.canBreak, ...(request.name === 'README' ? ['core'] : [])].sort());
});
