import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { AuditCopy } from './audit-copy.js';
import { locate } from './locate.js';

const cleanUp = cleanUpIn(afterEach);

async function copyOf(repo: TempRepo): Promise<AuditCopy> {
  const copy = await AuditCopy.make(locate(repo.path), repo.git('rev-parse', 'HEAD'), new AbortController().signal);
  cleanUp.defer(() => expect(copy.remove()).toBeUndefined());
  return copy;
}

function newRepo(): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'yarn.lock': '', '.gitignore': 'ignored\n', 'a.txt': '1\n' } });
  return repo;
}

/** As git sets them for a hook. */
function inHookOf(repo: TempRepo): void {
  for (const [name, value] of Object.entries({ GIT_DIR: join(repo.path, '.git'), GIT_INDEX_FILE: join(repo.path, '.git/index') })) {
    process.env[name] = value;
    cleanUp.defer(() => delete process.env[name]);
  }
}

test('in a hook of git, the setup uses the repository of the copy', async () => {
  const repo = newRepo();
  const copy = await copyOf(repo);
  inHookOf(repo);
  await copy.setUp('git rev-parse --absolute-git-dir > ignored');
  expect(readFileSync(join(copy.folder, 'ignored'), 'utf8')).toBe(`${join(copy.folder, '.git')}\n`);
});

test('a setup that leaves another state than the commit is refused', async () => {
  const copy = await copyOf(newRepo());
  const commit = 'git -c user.name=a -c user.email=a@b commit --quiet --allow-empty --message x';
  for (const [command, changed] of [
    ['echo 2 > a.txt', 'a.txt'],
    ['git checkout --quiet a.txt && mkdir made && touch made/x', 'made/'],
    [`rm -r made && ${commit}`, 'HEAD'],
  ] as const) {
    const message = `After "${command}", ${changed} differs from the commit.`;
    await expect(copy.setUp(command)).rejects.toMatchObject({ code: 'INSTALL_FAILED', message });
  }
  await copy.setUp('git reset --quiet --hard HEAD~1; touch ignored');
});
