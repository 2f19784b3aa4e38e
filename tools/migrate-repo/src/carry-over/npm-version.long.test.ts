import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { misplacedCommands } from './other-managers.js';

const cleanUp = cleanUpIn(afterEach);

// What npm does in a workspace is reported; so npm itself is asked.
test('npm version commits and tags nothing, and rewrites yarn.lock', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const scripts = { postversion: 'node -p 1 > ran' };
  repo.commit('Start', {
    files: {
      'package.json': '{ "name": "root", "private": true, "workspaces": ["packages/*"] }',
      'packages/x/package.json': JSON.stringify({ name: 'x', version: '1.0.0', scripts }),
      'yarn.lock': '__metadata:\n  version: 8\n',
    },
  });
  const { code } = await runProcess('npm', ['version', 'patch', '--offline'], { cwd: join(repo.path, 'packages/x') });
  const read = (file: string): string => readFileSync(join(repo.path, file), 'utf8');
  expect([code, repo.git('rev-list', '--count', 'HEAD'), repo.git('tag')]).toEqual([0, '1', '']);
  expect(read('packages/x/package.json')).toContain('"1.0.1"');
  expect([read('yarn.lock').includes('yarn lockfile v1'), existsSync(join(repo.path, 'package-lock.json'))]).toEqual([true, true]);
  expect(existsSync(join(repo.path, 'packages/x/ran'))).toBe(true);
  const [told] = misplacedCommands('npm version patch', { wasYarn1: false, scripts: new Set(), projectIn: () => undefined });
  expect(told?.effect).toMatch(/neither a commit nor a tag, rewrites yarn\.lock in the format of Yarn 1, and adds a package-lock\.json\.$/);
});
