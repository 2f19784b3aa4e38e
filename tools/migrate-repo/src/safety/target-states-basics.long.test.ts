import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createHome, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createSource, failureOf, gitFolderOf, MigrationFixture, prepareMigration, readState } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);
// For tests that run side by side.
const atEnd = cleanUpIn(afterAll);

/** Creates a program that writes a file when it runs. No test may run it. */
function trap(fixture: MigrationFixture): { program: string; marker: string } {
  const marker = fixture.home.join('it-was-run');
  const program = fixture.home.write('trap', `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat 2>/dev/null\n`);
  chmodSync(program, 0o755);
  return { program, marker };
}

function existing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe('a monorepo of another package manager is refused before anything is fetched', () => {
  const cases: Record<string, Readonly<Record<string, string>>> = {
    npm: { 'package-lock.json': '{ "lockfileVersion": 3, "packages": {} }' },
    pnpm: { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
    Bun: { 'bun.lock': '{}' },
    'Yarn 1': { 'yarn.lock': '# yarn lockfile v1\n\n\nms@^2.0.0:\n  version "2.1.2"\n' },
  };
  test.each(Object.keys(cases))('%s', async (name) => {
    const fixture = createFixture(cleanUp, { packageManager: undefined });
    fixture.monorepo.commit('Lock', { files: cases[name] ?? {} });
    const { stderr } = await fixture.refused('PACKAGE_MANAGER_UNSUPPORTED', ['left-pad', '--from', '/nowhere', '--no-align']);
    expect(stderr).toContain(`This monorepo uses ${name} (see its `);
  });
});

test('a repository of another user is told as such, with what to type', async () => {
  const { fixture, command } = prepareMigration(cleanUp);
  if (process.getuid?.() !== 0) return console.warn('left out: this user may not give files away');
  chownSync(fixture.monorepo.path, 12_345, 12_345);
  const result = await fixture.run(command);
  expect(failureOf(result)).toEqual({ exit: 1, code: 'TARGET_NOT_TRUSTED' });
  expect(result.stderr).toContain(`git config --global --add safe.directory ${fixture.monorepo.path}\n`);
});

describe('whatever state the work tree is in, it stays so', () => {
  const states: Record<string, (repo: TempRepo) => void> = {
    'modified, staged, deleted and untracked files, also in the place where the package goes': (repo) => {
      repo.write({ 'README.md': 'changed\n', 'staged.txt': 'x', 'packages/left-pad/untracked.js': 'y' });
      repo.git('add', 'staged.txt');
      repo.git('rm', '-q', '--cached', 'packages/here/package.json');
    },
    'detached HEAD': (repo) => repo.git('checkout', '-q', '--detach'),
    'a merge with conflicts': (repo) => {
      repo.branch('other');
      repo.commit('Ours', { files: { 'README.md': 'ours\n' } });
      repo.checkout('other');
      repo.commit('Theirs', { files: { 'README.md': 'theirs\n' } });
      expect(() => repo.merge('main')).toThrow();
    },
    'a rebase with conflicts': (repo) => {
      repo.branch('other');
      repo.commit('Ours', { files: { 'README.md': 'ours\n' } });
      repo.checkout('other');
      repo.commit('Theirs', { files: { 'README.md': 'theirs\n' } });
      expect(() => repo.git('rebase', '-q', 'main')).toThrow();
    },
    'a sparse checkout': (repo) => repo.git('sparse-checkout', 'set', '--no-cone', '/README.md'),
    'conflict markers in the package.json of the work tree': (repo) => repo.write({ 'package.json': '<<<<<<< ours\n{}\n=======\n' }),
    'an index.lock of another git': (repo) => writeFileSync(join(gitFolderOf(repo), 'index.lock'), ''),
  };
  test.each(Object.keys(states))('%s', async (name) => {
    const { fixture, command } = prepareMigration(cleanUp);
    states[name]?.(fixture.monorepo);
    await fixture.accepted(command);
  });

  test('a linked work tree, and the main one beside it', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const linked = cleanUp.add(new TempFolder());
    fixture.monorepo.git('worktree', 'add', '-q', '-b', 'linked', linked.join('tree'));
    await fixture.accepted(command, { cwd: linked.join('tree') });
    expect(fixture.monorepo.git('branch', '--list', 'migrate/*')).toBe('  migrate/left-pad');
  });
});

describe('kinds of repositories', () => {
  test('a bare one', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const bare = cleanUp.add(TempRepo.create({ bare: true }));
    bare.git('fetch', '-q', fixture.monorepo.path, 'main:main');
    await new MigrationFixture(bare, fixture.home).accepted(command);
  });

  test('one in a folder with blanks, colons, quotes and other letters', async () => {
    const folder = cleanUp.add(new TempFolder());
    const odd = parseAbsolutePath(folder.join(`a b: "c' ü 雪 $(id) \\d`));
    const repo = TempRepo.create({ folder: odd });
    repo.commit('Start', { files: monorepoFiles({ packages: { 'packages/here': {} } }) });
    const source = createSource(cleanUp, 'left-pad', {}, { folder: parseAbsolutePath(folder.join(`s: "o' é`)) });
    const fixture = new MigrationFixture(repo, cleanUp.add(createHome()));
    await fixture.accepted(['left-pad', '--from', source.path]);
    expect((await fixture.run(['verify', 'left-pad', '--refetch', '--ref', 'migrate/left-pad'])).code).toBe(0);
    expect((await fixture.run(['status'])).stdout).toContain('nothing new');
  });
});

describe('nothing that a repository or its owner configured is run or obeyed', () => {
  const HOOKS = [
    'reference-transaction',
    'post-checkout',
    'post-merge',
    'pre-commit',
    'commit-msg',
    'post-commit',
    'pre-auto-gc',
    'post-rewrite',
  ];
  const MORE = ['prepare-commit-msg', 'pre-merge-commit', 'post-index-change', 'push-to-checkout', 'pre-receive', 'update', 'post-update'];

  test('hooks', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const { program } = trap(fixture);
    const hooks = join(gitFolderOf(fixture.monorepo), 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of [...HOOKS, ...MORE]) symlinkSync(program, join(hooks, hook));
    await fixture.accepted(command);
    await fixture.accepted(['status']);
    await fixture.accepted(['verify', 'left-pad', '--ref', 'migrate/left-pad']);
    await fixture.discarded('left-pad');
    expect(existing(fixture.home.join('it-was-run'))).toBe('');
  });

  test('settings that start programs or change what git answers', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const { program } = trap(fixture);
    const programs = [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'core.sshCommand',
      'core.askPass',
      'core.alternateRefsCommand',
      'core.gitProxy',
      'diff.external',
      'diff.x.textconv',
      'filter.x.smudge',
      'merge.x.driver',
      'gpg.program',
      'credential.helper',
      'uploadpack.packObjectsHook',
    ].map((key) => [key, program]);
    const aliases = ['status', 'fetch', 'log', 'update-ref'].map((name) => [`alias.${name}`, `!${program}`]);
    // Harmless settings, each of which changes what some git command prints or does.
    const habits = Object.entries({
      // This setting is obeyed, see messages.long.test.ts; without it, no program signs.
      'commit.gpgSign': 'false',
      'tag.gpgSign': 'true',
      'log.showSignature': 'true',
      'log.date': 'relative',
      'log.follow': 'true',
      'log.mailmap': 'false',
      'merge.ff': 'only',
      'merge.verifySignatures': 'true',
      'pull.rebase': 'true',
      'grep.patternType': 'fixed',
      'color.ui': 'always',
      'core.commentChar': 'T',
      'core.logAllRefUpdates': 'always',
      'core.sharedRepository': 'group',
      'i18n.logOutputEncoding': 'UTF-16',
      'i18n.commitEncoding': 'ISO-8859-1',
      'transfer.hideRefs': 'refs/tags',
      'transfer.fsckObjects': 'true',
      'fetch.prune': 'true',
      'fetch.pruneTags': 'true',
      'fetch.recurseSubmodules': 'true',
      'fetch.unpackLimit': '1000',
      'gc.auto': '1',
      'maintenance.auto': 'true',
      'status.showUntrackedFiles': 'no',
      'pack.packSizeLimit': '1m',
      'push.followTags': 'true',
    });
    fixture.monorepo.commit('Attributes', { files: { '.gitattributes': '* filter=x diff=x merge=x\n' } });
    appendFileSync(join(gitFolderOf(fixture.monorepo), 'config'), formatConfig([...programs, ...aliases, ...habits]));
    // A user's own settings may start programs, such as a credential helper, so only aliases and habits are set there.
    fixture.home.write('.gitconfig', `[user]\n\tname = Ada\n\temail = ada@example.com\n${formatConfig([...aliases, ...habits])}`);
    // The test's own git would fall into the trap, so it reads the refs with the settings switched off.
    const before = refsOf(fixture);
    const migrated = await fixture.run(command);
    expect({ code: migrated.code, stderr: migrated.code === 0 ? '' : migrated.stderr }).toEqual({ code: 0, stderr: '' });
    expect((await fixture.run(['status', '--json'])).stdout).toContain('"state": "none"');
    expect((await fixture.run(['verify', 'left-pad', '--ref', 'migrate/left-pad'])).code).toBe(0);
    expect(await fixture.run(['discard', 'left-pad'])).toMatchObject({ code: 0 });
    expect(existing(fixture.home.join('it-was-run'))).toBe('');
    expect(refsOf(fixture)).toBe(before);
  });

  test('a filter that is required and not installed', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    fixture.monorepo.commit('Attributes', { files: { '.gitattributes': '* filter=lfs\n' } });
    appendFileSync(
      join(gitFolderOf(fixture.monorepo), 'config'),
      formatConfig([
        ['filter.lfs.required', 'true'],
        ['filter.lfs.clean', 'not-installed'],
      ]),
    );
    // git only runs the filter for a file whose time says that it may have changed.
    utimesSync(join(fixture.monorepo.path, 'README.md'), 0, 0);
    const { code, stderr } = await fixture.run(command);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('It is unknown whether your working tree has uncommitted changes'),
    });
  });

  test('variables that a hook would set', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const other = cleanUp.add(TempRepo.create());
    other.commit('Other');
    const untouched = readState(other);
    const env = {
      GIT_DIR: join(other.path, '.git'),
      GIT_WORK_TREE: other.path,
      GIT_INDEX_FILE: join(other.path, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other.path, '.git/objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(other.path, '.git/objects'),
      GIT_QUARANTINE_PATH: join(other.path, '.git/objects'),
      GIT_NAMESPACE: 'elsewhere',
      GIT_PREFIX: 'x/',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
      GIT_GRAFT_FILE: '/dev/null',
      GIT_SHALLOW_FILE: join(other.path, 'shallow'),
      GIT_REPLACE_REF_BASE: 'refs/heads/',
      GIT_EXTERNAL_DIFF: 'false',
      GIT_TRACE: '2',
      GIT_DEFAULT_HASH: 'sha256',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_CEILING_DIRECTORIES: fixture.monorepo.path,
    };
    await fixture.accepted(command, { env });
    await fixture.discarded('left-pad', { env });
    expect(readState(other)).toEqual(untouched);
  });

  test('no identity', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    fixture.home.write('.gitconfig', '[user]\n\tuseConfigOnly = true\n');
    await fixture.refused('TARGET_IDENTITY_MISSING', command);
    await fixture.accepted(command, {
      env: { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'C', GIT_COMMITTER_EMAIL: 'c@d' },
    });
  });
});

function formatConfig(settings: readonly (readonly string[])[]): string {
  const lines = settings.map(([key = '', value = '']) => {
    const [, section, sub, name] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(key) ?? [];
    return `[${section}${sub === undefined ? '' : ` "${sub}"`}]\n\t${name} = ${value}\n`;
  });
  return lines.join('');
}

function refsOf(fixture: MigrationFixture): string {
  return fixture.monorepo.git('for-each-ref', '--format=%(objectname) %(refname)');
}

describe('what is refused', () => {
  const cases: Record<string, [string, (repo: TempRepo) => unknown, string[]?]> = {
    'no commit yet': ['TARGET_UNBORN', (repo) => repo.git('checkout', '-q', '--orphan', 'new')],
    'a malformed package.json': ['MANIFEST_INVALID', (repo) => repo.commit('Broken', { files: { 'package.json': '{"workspaces":[' } })],
    'two workspaces of one name': [
      'WORKSPACE_DUPLICATE_NAME',
      (repo) => repo.commit('Twice', { files: { 'packages/there/package.json': '{"name":"here"}\n' } }),
    ],
    'a branch where a folder must be': ['TARGET_BRANCH_TAKEN', (repo) => repo.branch('migrate')],
    'the path in another case': ['TARGET_PATH_TAKEN', (repo) => repo.commit('There', { files: { 'Packages/LEFT-pad/x': '' } })],
    'the name': ['TARGET_NAME_TAKEN', (repo) => repo.commit('Same', { files: { 'packages/other/package.json': '{"name":"left-pad"}' } })],
    'a tag': ['TAG_COLLISION', (repo) => repo.tag('left-pad@1.1.0')],
    'a path into .git': ['USAGE', () => undefined, ['--to', '.git/hooks']],
  };
  test.concurrent.each(Object.keys(cases))('%s', async (name) => {
    const [code, spoil, more = []] = cases[name] ?? ['', () => undefined];
    const { fixture, command } = prepareMigration(atEnd);
    spoil(fixture.monorepo);
    await fixture.refused(code, [...command, ...more]);
  });

  test('a folder outside of any repository', async () => {
    const folder = cleanUp.add(new TempFolder());
    const result = await runCli('migrate-repo', ['left-pad', '--from', '.'], { cwd: folder.path });
    expect(failureOf(result)).toEqual({ exit: 1, code: 'TARGET_NOT_FOUND' });
  });
});
