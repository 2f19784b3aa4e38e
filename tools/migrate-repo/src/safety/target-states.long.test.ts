import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitFolderOf, MigrationFixture, prepareMigration } from './migration.fixture.js';

// More kinds of repositories than in target-states-basics.long.test.ts.

const cleanUp = cleanUpIn(afterEach);

describe('kinds of repositories', () => {
  test('a shallow one stays shallow', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    fixture.monorepo.commit('More');
    const shallow = cleanUp.add(TempRepo.cloneOf(fixture.monorepo, '--depth=1'));
    await new MigrationFixture(shallow, fixture.home).accepted(command);
  });

  test('one that borrows its objects from another', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const borrower = cleanUp.add(TempRepo.cloneOf(fixture.monorepo));
    const lender = cleanUp.add(TempRepo.cloneOf(fixture.monorepo));
    borrower.git('repack', '-q', '-a', '-d');
    writeFileSync(join(gitFolderOf(borrower), 'objects/info/alternates'), `${lender.path}/.git/objects\n`);
    borrower.git('repack', '-q', '-a', '-d', '-l');
    await new MigrationFixture(borrower, fixture.home).accepted(command);
  });

  test('one whose objects lie behind a link on another disk, if there is another', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const elsewhere = cleanUp.add(new TempFolder());
    fixture.monorepo.git('repack', '-q', '-a', '-d');
    const objects = join(gitFolderOf(fixture.monorepo), 'objects');
    cpSync(objects, elsewhere.join('objects'), { recursive: true });
    rmSync(objects, { recursive: true });
    symlinkSync(elsewhere.join('objects'), objects);
    await fixture.accepted(command);
  });

  test('one that a group shares: what arrives can be read by the group, whatever the umask', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    fixture.monorepo.git('config', 'core.sharedRepository', 'group');
    const cli = join(findProjectRoot(), 'tools/migrate-repo/out/cli.cjs');
    const { code } = await runProcess('sh', ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, cli, ...command], {
      cwd: fixture.monorepo.path,
    });
    expect(code).toBe(0);
    const folder = join(gitFolderOf(fixture.monorepo), 'objects/pack');
    const modes = readdirSync(folder).map((file) => (statSync(join(folder, file)).mode & 0o777).toString(8));
    expect([...new Set(modes)]).toEqual(['440']);
  });

  test('a monorepo in a folder of the repository', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    fixture.monorepo.commit('A second monorepo', { files: { 'inner/js/package.json': '{"name":"inner","workspaces":["packages/*"]}\n' } });
    await fixture.accepted(command, { cwd: join(fixture.monorepo.path, 'inner', 'js') });
    expect(fixture.monorepo.git('ls-tree', '-r', '--name-only', 'migrate/left-pad', 'inner/js/packages')).toContain(
      'inner/js/packages/left-pad/src/index.js',
    );
  });

  test('replacements and grafts in it neither change the result nor are they changed', async () => {
    const { fixture, command } = prepareMigration(cleanUp);
    const first = fixture.monorepo.id('HEAD');
    const real = fixture.monorepo.commit('Real', { files: { 'package.json': '{"name":"mono","workspaces":["packages/*"]}\n' } });
    fixture.monorepo.git('replace', real, first);
    mkdirSync(join(gitFolderOf(fixture.monorepo), 'info'), { recursive: true });
    writeFileSync(join(gitFolderOf(fixture.monorepo), 'info/grafts'), `${real}\n`);
    await fixture.accepted(command);
    expect(fixture.monorepo.git('--no-replace-objects', 'cat-file', 'commit', 'migrate/left-pad~2').length).toBeGreaterThan(0);
    expect(fixture.monorepo.git('--no-replace-objects', 'rev-list', '--first-parent', 'migrate/left-pad')).toContain(real);
  });
});
