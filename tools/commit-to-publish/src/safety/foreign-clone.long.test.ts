import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { giveAway, MAY_GIVE_AWAY } from '@tributary/test-repo/foreign-repo';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';

const cleanUp = cleanUpIn(afterEach);
const asRoot = MAY_GIVE_AWAY ? test : test.skip;

let repo: TempRepo;
let ran: () => readonly string[];

beforeEach(async () => {
  if (!MAY_GIVE_AWAY) return;
  repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'package.json': '{"name":"core","version":"1.0.0"}', 'tributary.json': '{"broken', 'a.js': '1' } });
  ran = await giveAway(repo, 'package.json', cleanUp.add(new TempFolder()));
});

describe('a clone of another user is refused before anything is read', () => {
  asRoot.each<[args: readonly string[]]>([
    [['collect']],
    [['collect', '--dry-run']],
    [['report', '--record', '/nonexistent']],
    [['compact']],
    [['ingest', '-']],
    [['sql']],
  ])('as the current folder, by %j', async (args) => {
    const { code, stderr } = await runCli('commit-to-publish', args, { cwd: repo.path });
    expect(stderr).toContain('[TARGET_NOT_TRUSTED]');
    expect(stderr).toContain(`git config --global --add safe.directory ${repo.path}\n`);
    expect([code, ran()]).toEqual([1, []]);
  });

  asRoot.each([['--cwd'], ['--repo'], ['--monorepo']])('with %s', async (option) => {
    const command = option === '--monorepo' ? ['report', '--channels', 'latest'] : ['collect'];
    const own = cleanUp.add(new TempFolder());
    const { code, stderr } = await runCli('commit-to-publish', [...command, option, repo.path], { cwd: own.path });
    expect(stderr).toContain('[TARGET_NOT_TRUSTED]');
    expect([code, ran()]).toEqual([1, []]);
  });
});

test('events are recorded without git', async () => {
  const folder = cleanUp.add(new TempFolder());
  const { code } = await runCli('commit-to-publish', ['ingest', '-'], { cwd: folder.path, env: { PATH: '/nonexistent' } });
  expect(code).toBe(0);
});
