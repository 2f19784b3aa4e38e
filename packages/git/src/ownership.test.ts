import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf, moveInto, setVariable } from './git.fixture.js';
import { type FoundRepository, hintToTrust, refuseForeign, refuseUntrusted } from './ownership.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());
const STRANGER = 12_345;
/** Only root may give files away. */
const asRoot = process.getuid?.() === 0 ? test : test.skip;
/** On Windows, git always decides. */
const onPosix = process.getuid === undefined ? test.skip : test;

beforeAll(() => moveInto(home, shared));
beforeEach(() => setGlobal(''));

function setGlobal(text: string): void {
  home.write('.gitconfig', text);
}

function create(options?: Parameters<typeof TempRepo.create>[0]): TempRepo {
  const repo = cleanUp.add(TempRepo.create(options));
  repo.commit('x', { files: { 'a/x': 'x' } });
  return repo;
}

function found(repo: { readonly path: AbsolutePath }): FoundRepository {
  return { gitDir: gitDirOf(repo), workTree: repo.path };
}

/** Returns the code of the refusal by both functions; they must agree with git itself. */
async function verdictOn(repository: FoundRepository): Promise<string> {
  const folder = repository.workTree ?? repository.gitDir;
  const [known, asked] = [await codeOf(refuseUntrusted(repository)), await codeOf(refuseForeign(folder))];
  const byGit = spawnSync('git', ['rev-parse', '--git-dir'], { cwd: folder, env: { ...process.env }, encoding: 'utf8' });
  expect({ known, asked }).toEqual(
    byGit.status === 0 ? { known: 'accepted', asked: 'accepted' } : { known: 'TARGET_NOT_TRUSTED', asked: 'TARGET_NOT_TRUSTED' },
  );
  return known;
}

function codeOf(refusal: Promise<unknown>): Promise<string> {
  return refusal.then(
    () => 'accepted',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  );
}

onPosix('for a repository of the user, git is not started', async () => {
  const repo = create();
  setVariable('PATH', '/nonexistent', cleanUp);
  await refuseUntrusted(found(repo));
});

describe('git decides on a repository in which another user owns', () => {
  const scenes: Record<string, (repo: TempRepo) => FoundRepository> = {
    'everything that git looks at': (repo) => {
      chownSync(repo.path, STRANGER, STRANGER);
      chownSync(gitDirOf(repo), STRANGER, STRANGER);
      return found(repo);
    },
    'the working tree': (repo) => {
      chownSync(repo.path, STRANGER, STRANGER);
      return found(repo);
    },
    'the folder .git': (repo) => {
      chownSync(gitDirOf(repo), STRANGER, STRANGER);
      return found(repo);
    },
    'the file .git': (repo) => {
      const gitDir = moveAway(repo);
      writeFileSync(join(repo.path, '.git'), `gitdir: ${gitDir}\n`);
      chownSync(join(repo.path, '.git'), STRANGER, STRANGER);
      return { gitDir, workTree: repo.path };
    },
    'the git directory that a file .git names': (repo) => {
      const gitDir = moveAway(repo);
      writeFileSync(join(repo.path, '.git'), `gitdir: ${gitDir}\n`);
      chownSync(gitDir, STRANGER, STRANGER);
      return { gitDir, workTree: repo.path };
    },
    'the part of a linked worktree': (repo) => {
      const linked = parseAbsolutePath(cleanUp.add(new TempFolder()).join('linked'));
      repo.git('worktree', 'add', '-q', '--detach', linked);
      const gitDir = parseAbsolutePath(join(gitDirOf(repo), 'worktrees/linked'));
      chownSync(gitDir, STRANGER, STRANGER);
      return { gitDir, workTree: linked };
    },
    'a repository behind a link of the user': (repo) => {
      chownSync(repo.path, STRANGER, STRANGER);
      const link = parseAbsolutePath(cleanUp.add(new TempFolder()).join('link'));
      symlinkSync(repo.path, link);
      return { gitDir: parseAbsolutePath(join(link, '.git')), workTree: link };
    },
    'a link .git': (repo) => {
      const gitDir = moveAway(repo);
      symlinkSync(gitDir, join(repo.path, '.git'));
      lchownSync(join(repo.path, '.git'), STRANGER, STRANGER);
      return found(repo);
    },
    'a bare repository': () => {
      const bare = cleanUp.add(TempRepo.create({ bare: true }));
      chownSync(bare.path, STRANGER, STRANGER);
      return { gitDir: bare.path, workTree: undefined };
    },
  };
  asRoot.each(Object.keys(scenes))('%s', async (name) => {
    const repository = scenes[name]?.(create()) as FoundRepository;
    expect(await verdictOn(repository)).toBe('TARGET_NOT_TRUSTED');
    setGlobal('[safe]\n\tdirectory = *\n');
    expect(await verdictOn(repository)).toBe('accepted');
  });
});

/** Moves the git directory out of the working tree. */
function moveAway(repo: TempRepo): AbsolutePath {
  const gitDir = parseAbsolutePath(cleanUp.add(new TempFolder()).join('elsewhere.git'));
  renameSync(gitDirOf(repo), gitDir);
  return gitDir;
}

describe('`safe.directory` counts', () => {
  asRoot.each<[where: string, set: (repo: TempRepo) => void, verdict: 'accepted' | 'TARGET_NOT_TRUSTED' | 'as git']>([
    ["in the user's settings", ({ path }) => setGlobal(`[safe]\n\tdirectory = ${path}\n`), 'accepted'],
    ['with a trailing /*, if this git knows that', ({ path }) => setGlobal(`[safe]\n\tdirectory = ${join(path, '..')}/*\n`), 'as git'],
    ['not for another folder', ({ path }) => setGlobal(`[safe]\n\tdirectory = ${path}x\n`), 'TARGET_NOT_TRUSTED'],
    ['not before an empty value', () => setGlobal('[safe]\n\tdirectory = *\n\tdirectory =\n'), 'TARGET_NOT_TRUSTED'],
    [
      'in the variables of a CI job',
      () => {
        const variables = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
        for (const [name, value] of Object.entries(variables)) setVariable(name, value, cleanUp);
      },
      'accepted',
    ],
    [
      'in the settings of the system',
      () => {
        const file = cleanUp.add(new TempFolder()).write('system', '[safe]\n\tdirectory = *\n');
        setVariable('GIT_CONFIG_NOSYSTEM', undefined, cleanUp);
        setVariable('GIT_CONFIG_SYSTEM', file, cleanUp);
      },
      'accepted',
    ],
    ['not in the settings of the repository', (repo) => repo.git('config', 'safe.directory', '*'), 'TARGET_NOT_TRUSTED'],
  ])('%s', async (_, set, verdict) => {
    const repo = create();
    set(repo);
    chownSync(repo.path, STRANGER, STRANGER);
    const given = await verdictOn(found(repo));
    if (verdict !== 'as git') expect(given).toBe(verdict);
  });
});

asRoot('root may use the repositories of the user who called sudo', async () => {
  const repo = create();
  chownSync(repo.path, STRANGER, STRANGER);
  chownSync(gitDirOf(repo), STRANGER, STRANGER);
  setVariable('SUDO_UID', String(STRANGER), cleanUp);
  expect(await verdictOn(found(repo))).toBe('accepted');
  setVariable('SUDO_UID', '7', cleanUp);
  expect(await verdictOn(found(repo))).toBe('TARGET_NOT_TRUSTED');
});

asRoot('a repository of the user below the folder of another is theirs', async () => {
  const folder = cleanUp.add(new TempFolder());
  const repo = create({ folder: folder.join('own') });
  chownSync(folder.path, STRANGER, STRANGER);
  expect(await verdictOn(found(repo))).toBe('accepted');
});

test('a bare repository that `safe.bareRepository` forbids is refused', async () => {
  const bare = cleanUp.add(TempRepo.create({ bare: true }));
  setGlobal('[safe]\n\tbareRepository = explicit\n');
  await expect(refuseUntrusted({ gitDir: bare.path, workTree: undefined })).rejects.toMatchObject({ code: 'TARGET_NOT_FOUND' });
});

test('what git takes for no repository, or for another one, is refused', async () => {
  const repo = create();
  const inner = parseAbsolutePath(join(repo.path, 'a'));
  mkdirSync(join(inner, '.git/objects'), { recursive: true });
  writeFileSync(join(inner, '.git/HEAD'), '');
  const bare = parseAbsolutePath(join(inner, '.git'));
  await expect(refuseUntrusted({ gitDir: bare, workTree: undefined })).rejects.toMatchObject({ code: 'TARGET_NOT_FOUND' });
  expect(await refuseForeign(parseAbsolutePath(home.path))).toBeUndefined();
});

onPosix('the hint runs nothing that the name of a folder contains', () => {
  expect(hintToTrust('/a/b-c_1.x')).toBe('If you trust it: git config --global --add safe.directory /a/b-c_1.x');
  const folder = `/a/$(touch ran)'b`;
  const command = hintToTrust(folder).replace(/^.*safe\.directory/, 'printf %s');
  expect(spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout).toBe(folder);
});
