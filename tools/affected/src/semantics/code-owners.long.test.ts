import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { ask, type ChangeCase, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const UNCLAIMED = 'all: FILE_UNCLAIMED';

const scripts = { test: 'jest', lint: 'yarn codeowners:check', 'codeowners:check': 'tsx scripts/manage-codeowners.ts check' };
const tool = { 'codeowners.ts': 'export default 1;\n', 'scripts/manage-codeowners.ts': "import o from '../codeowners.js';\n" };
const before = { ...tool, ...manifestOf('', { scripts }) };
const change = { 'codeowners.ts': 'export default 2;\n' };
const workflow = (text: string): Files => ({ '.github/workflows/ci.yml': text });

describe('codeowners.ts', () => {
  test.each<ChangeCase>([
    ['affects the root, whose scripts read it', before, change, ['monorepo']],
    [
      'may be named by a workflow that calls the script',
      { ...before, ...workflow('- run: yarn codeowners:check\n- run: yarn test\n') },
      change,
      ['monorepo'],
    ],
    [
      'affects everybody where a workflow with tests names it',
      { ...before, ...workflow('- run: tsx codeowners.ts\n- run: yarn test\n') },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where other code of the root names it',
      { ...before, 'scripts/x.ts': "import '../codeowners.js';\n" },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where tests of the root read it',
      { ...before, ...manifestOf('', { scripts: { test: 'tsx codeowners.ts' } }) },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where an install reads it',
      { ...before, ...manifestOf('', { scripts: { postinstall: 'tsx codeowners.ts' } }) },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where tests of the root call a script that reads it',
      { ...before, ...manifestOf('', { scripts: { ...scripts, test: 'yarn lint && jest' } }) },
      change,
      UNCLAIMED,
    ],
    [
      'affects a workspace that names it, too',
      { ...before, 'packages/tool/a.ts': "import '../../codeowners.js';\n" },
      change,
      ['monorepo', 'tool'],
    ],
  ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));

  test('names the file as the reason', async () => {
    const { workspaces } = await scene.resultOf({ before, files: change });
    expect(workspaces[0]?.reasons).toEqual([{ kind: 'file', file: 'codeowners.ts', others: 0 }]);
  });
});

test('in a partial clone nobody is looked for', async () => {
  const repo = await scene.changed({ before, files: change });
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['monorepo']);
  repo.git('config', 'remote.origin.promisor', 'true');
  expect(await ask(repo, ['--base', 'HEAD~1'])).toBe(UNCLAIMED);
});

test('what is not committed is compared, too', async () => {
  const repo = await scene.changed({ before, files: {} });
  repo.write({ ...change, 'packages/alone/a.js': "'../../codeowners.js'" });
  expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(['alone', 'monorepo']);
});

test.each(['Makefile', 'lerna.json', 'nx.json'])('a changed %s affects everybody', async (file) => {
  await scene.answers({ before: { [file]: '{}' }, files: { [file]: '{ "version": "2.0.0" }' } }, UNCLAIMED);
});
