import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { giveAway, MAY_GIVE_AWAY } from '@tributary/test-repo/foreign-repo';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createSource, gitFolderOf, type MigrationFixture } from './migration.fixture.js';
import { createLfsSource, createSourceWith, LFS_ID } from './sources.fixture.js';

// More sources than in sources-basics.long.test.ts.

const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;

beforeEach(() => {
  fixture = createFixture(cleanUp);
});

test('the monorepo itself behind an address of this machine is refused, and so is another that cannot be migrated', async () => {
  const encoded = encodeURI(fixture.monorepo.path).replaceAll('mono', '%6dono');
  await fixture.refused('SOURCE_IS_TARGET', ['left-pad', '--from', `file://${encoded}/.git/`]);
  const whole = createSourceWith(cleanUp, (repo) => repo.git('config', 'uploadpack.allowFilter', 'true'));
  const partial = cleanUp.add(TempRepo.cloneOf(whole, '--filter=blob:none', '--no-checkout'));
  await fixture.refused('SOURCE_PARTIAL', ['left-pad', '--from', `file://${partial.path}`]);
  const { stderr } = await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', `file://${whole.path}/src/`]);
  expect(stderr).toContain(`--from ${whole.path} --subdirectory src`);
  await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', `file://${whole.path}/nothing`]);
  await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', `file://host.example${whole.path}`]);
  await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', `file://${whole.path}%00`]);
  await fixture.accepted(['left-pad', '--from', `file://${whole.path}/`]);
});

(MAY_GIVE_AWAY ? test : test.skip)('a source of another user is refused, and none of its programs runs', async () => {
  const source = createSourceWith(cleanUp, (repo) => repo.commit('Late', { files: { 'late.js': '1' } }));
  const ran = await giveAway(source, 'late.js', cleanUp.add(new TempFolder()));
  for (const address of [source.path, `file://${source.path}`]) {
    const { stderr } = await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', address]);
    expect(stderr).toContain('because another user owns it.');
    expect(stderr).toContain(`git config --global --add safe.directory ${source.path}\n`);
  }
  expect(ran()).toEqual([]);
});

describe('a source that is odd and can be migrated', () => {
  test('files in Git LFS, where they are in the store of the monorepo or only pointers are wanted', async () => {
    const source = createLfsSource(cleanUp);
    source.commit('Folder', { files: { 'sub/package.json': '{ "name": "sub" }', 'sub/b.bin': `${source.git('show', 'HEAD:a.bin')}\n` } });
    await fixture.refused('SOURCE_LFS_MISSING', ['sub', '--from', source.path, '--subdirectory', 'sub']);
    await fixture.accepted(['left-pad', '--from', source.path, '--lfs-pointers', '--branch', 'pointers', '--no-tags']);
    const store = join(gitFolderOf(fixture.monorepo), 'lfs/objects/ab/ab');
    mkdirSync(store, { recursive: true });
    writeFileSync(join(store, LFS_ID), 'twelve bytes');
    await fixture.accepted(['left-pad', '--from', source.path]);
  });

  test('SHA-256 on both sides', async () => {
    const modern = createFixture(cleanUp, {}, { objectFormat: 'sha256' });
    const source = createSource(cleanUp, 'left-pad', {}, { objectFormat: 'sha256' });
    await modern.accepted(['left-pad', '--from', source.path]);
    await modern.accepted(['verify', 'left-pad', '--ref', 'migrate/left-pad']);
    await modern.refused('SOURCE_FORMAT_MISMATCH', ['right-pad', '--from', createSource(cleanUp, 'right-pad').path]);
  });

  test('detached HEAD, a branch called master, a linked work tree', async () => {
    const detached = createSourceWith(cleanUp, (repo) => repo.git('checkout', '-q', '--detach', 'HEAD~1'));
    await fixture.accepted(['left-pad', '--from', detached.path, '--branch', 'one', '--no-tags']);
    const master = createSourceWith(cleanUp, (repo) => repo.git('branch', '-m', 'main', 'master'));
    await fixture.accepted(['left-pad', '--from', master.path, '--branch', 'two', '--no-tags']);
    const linked = cleanUp.add(new TempFolder());
    master.git('worktree', 'add', '-q', '--detach', linked.join('tree'), 'side');
    await fixture.accepted(['left-pad', '--from', linked.join('tree'), '--branch', 'three', '--no-tags']);
    const show = (file: string): string[] =>
      ['one', 'two', 'three'].map((branch) => fixture.monorepo.git('ls-tree', '-r', '--name-only', branch, file));
    expect(show('packages/left-pad/side.js').map((found) => found !== '')).toEqual([false, true, true]);
  });

  test('replacements in it do not count', async () => {
    const source = createSourceWith(cleanUp, (repo) => repo.git('replace', repo.id('HEAD'), repo.id('HEAD~2')));
    const { stdout } = await fixture.accepted(['left-pad', '--from', source.path]);
    expect(stdout).toMatch(/left-pad +4 /);
  });

  test('a folder packages/left-pad inside of it', async () => {
    const source = createSourceWith(cleanUp, (repo) =>
      repo.commit('Nest', { files: { 'packages/left-pad/package.json': '{"name":"inner-pad"}' } }),
    );
    await fixture.accepted(['left-pad', '--from', source.path]);
    await fixture.accepted(['verify', 'left-pad', '--ref', 'migrate/left-pad']);
  });

  test('a malformed commit in its history, although the user has fetches checked', async () => {
    fixture.home.write(
      '.gitconfig',
      '[user]\n\tname = A\n\temail = a@b\n[transfer]\n\tfsckObjects = true\n[fetch]\n\tfsckObjects = true\n',
    );
    const source = createSourceWith(cleanUp, (repo) => {
      const text = repo.gitBytes('cat-file', 'commit', 'HEAD').toString('latin1');
      const malformed = Buffer.from(text.replace(/^(author .*) <.*> /m, '$1 '), 'latin1');
      const id = repo.gitWithInput(malformed, 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin');
      repo.git('update-ref', 'refs/heads/main', id);
      repo.commit('After it');
      expect(() => repo.git('fsck')).toThrow('missingEmail');
    });
    await fixture.accepted(['left-pad', '--from', source.path, '--allow-objects', 'missingEmail']);
  });

  test("an address that the user's own settings lead elsewhere", async () => {
    const source = createSource(cleanUp);
    fixture.home.write('.gitconfig', `[user]\n\tname = A\n\temail = a@b\n[url "${source.path}"]\n\tinsteadOf = https://example.test/pad\n`);
    await fixture.accepted(['left-pad', '--from', 'https://example.test/pad']);
    expect(fixture.monorepo.git('log', '-1', '--format=%B', '--merges', 'migrate/left-pad')).toContain(
      'Tributary-Source: https://example.test/pad\n',
    );
  });
});
