import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { giveAway, MAY_GIVE_AWAY } from '@tributary/test-repo/foreign-repo';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { askTool, failureOf, MonorepoScene } from './scene.fixture.js';

const shared = cleanUpIn(afterAll);
const cleanUp = cleanUpIn(afterEach);
const asRoot = MAY_GIVE_AWAY ? test : test.skip;
const TRUSTED = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

let scene: MonorepoScene;
let repo: TempRepo;
let ran: () => readonly string[];

beforeAll(async () => {
  scene = await MonorepoScene.create(shared);
});

beforeEach(async () => {
  if (!MAY_GIVE_AWAY) return;
  repo = await scene.changed({ before: { 'packages/lib/missing.js': '1' }, files: { 'packages/lib/index.js': '2' } });
  ran = await giveAway(repo, 'packages/lib/missing.js', cleanUp.add(new TempFolder()));
});

describe('in a repository of another user, every command fails before it reads anything', () => {
  asRoot.each<[command: string, args: readonly string[]]>([
    ['select', ['--base', 'HEAD~1']],
    ['select', ['--base', 'nosuch']],
    ['select', ['--base', 'HEAD~1', '--fallback', 'all']],
    ['select', ['--base', 'HEAD~1', '--uncommitted']],
    ['why', ['lib', '--base', 'HEAD~1']],
    ['plan', ['--base', 'HEAD~1', '--task', 'test', '--fallback', 'all', '--out', 'plan.json']],
    ['check', []],
    ['check', ['--rules']],
    ['check', ['--fix']],
    ['replay', []],
    ['tune', ['--write']],
    ['init', ['--yes']],
    ['trace', ['--json', '--', 'true']],
  ])('%s %j', async (command, args) => {
    for (const cwd of [repo.path, join(repo.path, 'packages/lib')]) {
      const result = await askTool(repo, [command, ...args], { cwd });
      expect(failureOf(result)).toEqual({ exit: 1, code: 'TARGET_NOT_TRUSTED' });
      expect(result.stdout).toContain(`git config --global --add safe.directory ${repo.path}"`);
    }
    expect(ran()).toEqual([]);
  });
});

asRoot('`check --setup` names it', async () => {
  expect((await askTool(repo, ['check', '--setup'])).stdout).toContain('[TARGET_NOT_TRUSTED]');
  expect(ran()).toEqual([]);
});

asRoot('with `safe.directory`, it is read like one of the user, and --no-fetch keeps git from its remote', async () => {
  const args = ['--base', 'HEAD~1', '--no-fetch'];
  expect(JSON.parse((await askTool(repo, args, { env: TRUSTED })).stdout)).toMatchObject({ all: { code: 'SOURCES_MISSING' } });
  expect(ran()).toEqual([]);
});
