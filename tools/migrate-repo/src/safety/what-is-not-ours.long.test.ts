import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createMigrated, createSource, gitFolderOf, MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const BRANCH = 'migrate/left-pad';

async function migrated(): Promise<MigrationFixture> {
  return (await createMigrated()).fixture;
}

/** Creates a tree whose entry `name` holds one package.json. */
function treeWith(repo: TempRepo, name: string): string {
  const blob = repo.writeObject('blob', '{ "name": "evil", "scripts": { "postinstall": "true" } }\n');
  const inner = repo.writeObject('tree', Buffer.concat([Buffer.from('100644 package.json\0'), Buffer.from(blob, 'hex')]));
  const manifest = repo.writeObject('blob', '{ "name": "left-pad" }\n');
  const entries = [
    Buffer.from(`40000 ${name}\0`),
    Buffer.from(inner, 'hex'),
    Buffer.from('100644 package.json\0'),
    Buffer.from(manifest, 'hex'),
  ];
  return repo.writeObject('tree', Buffer.concat(entries));
}

test.each(['..', '.', '.git', '.GIT'])('a source with a folder called %s writes nothing anywhere', async (name) => {
  const fixture = createFixture(cleanUp);
  const source = cleanUp.add(TempRepo.create());
  const person = 'Eve <eve@example.com> 1600000000 +0000';
  const commit = source.writeObject('commit', `tree ${treeWith(source, name)}\nauthor ${person}\ncommitter ${person}\n\nEvil\n`);
  source.git('update-ref', 'refs/heads/main', commit);
  await fixture.refused('SOURCE_UNSAFE_PATH', ['left-pad', '--from', source.path]);
  expect(existsSync(join(fixture.monorepo.path, '..', 'package.json'))).toBe(false);
});

describe('discard', () => {
  test('leaves a branch alone to which somebody has added commits', async () => {
    const fixture = await migrated();
    fixture.monorepo.checkout(BRANCH);
    fixture.monorepo.commit('Mine', { files: { 'packages/left-pad/mine.js': '1\n' } });
    fixture.monorepo.checkout('main');
    const { stderr } = await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    expect(stderr).toContain('Mine');
  });

  test.each([
    ['with a file of their own', { 'packages/left-pad/mine.js': '1\n' }, '--no-edit'],
    ['with a changed file of the package', { 'packages/left-pad/side.js': '4\n' }, '--no-edit'],
    ['with other words', {}, '--message=Mine'],
  ])('leaves a branch alone whose last commit somebody has amended %s', async (_title, files, how) => {
    const fixture = await migrated();
    fixture.monorepo.checkout(BRANCH);
    fixture.monorepo.write(files);
    fixture.monorepo.git('add', '-A');
    fixture.monorepo.git('commit', '-q', '--amend', how);
    fixture.monorepo.checkout('main');
    await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    fixture.monorepo.git('reflog', 'expire', '--expire=all', '--all');
    await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
  });

  test('leaves a branch alone into which somebody has merged the migration', async () => {
    const fixture = await migrated();
    fixture.monorepo.git('checkout', '-q', '-b', 'dev');
    const merge = fixture.monorepo.merge(BRANCH);
    fixture.monorepo.checkout('main');
    fixture.monorepo.git('branch', '-q', '-D', BRANCH);
    expect((await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad'])).stderr).toContain(merge);
    expect(fixture.monorepo.id('dev')).toBe(merge);
  });

  test('leaves a branch alone whose merge commit somebody has amended', async () => {
    const fixture = await migrated();
    const merge = `${BRANCH}~1`;
    fixture.monorepo.git('checkout', '-q', '-B', BRANCH, merge);
    fixture.monorepo.write({ 'mine.txt': '1\n' });
    fixture.monorepo.git('add', '-A');
    fixture.monorepo.git('commit', '-q', '--amend', '--no-edit');
    fixture.monorepo.checkout('main');
    await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
  });

  test('knows what it made in any clone, and without a log', async () => {
    const fixture = await migrated();
    const clone = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(fixture.monorepo)), fixture.home);
    clone.monorepo.git('branch', '-q', BRANCH, `origin/${BRANCH}`);
    clone.monorepo.git('remote', 'remove', 'origin');
    await clone.discarded('left-pad');
    expect(clone.monorepo.git('branch', '--list', 'migrate/*')).toBe('');
    fixture.monorepo.git('reflog', 'expire', '--expire=all', '--all');
    await fixture.discarded('left-pad');
  });

  test('takes back what an earlier release made, whose commits have no mark, by what the log says', async () => {
    const fixture = await migrated();
    const unmark = (commit: string): string =>
      `${fixture.monorepo.git('cat-file', 'commit', commit)}\n`.replace(/\n?Tributary-Made: .*\n/, '');
    const merge = fixture.monorepo.writeObject('commit', unmark(`${BRANCH}~1`));
    const last = unmark(BRANCH).replace(fixture.monorepo.id(`${BRANCH}~1`), merge);
    const tip = fixture.monorepo.writeObject('commit', last);
    fixture.monorepo.git('branch', '-q', '-D', BRANCH);
    fixture.monorepo.git('update-ref', '-m', 'migrate-repo: left-pad', `refs/heads/${BRANCH}`, tip);
    await fixture.discarded('left-pad');
  });

  test('names the merge on the branch of HEAD that is to be reverted', async () => {
    const fixture = await migrated();
    const inner = fixture.monorepo.id(`${BRANCH}~1`);
    const start = fixture.monorepo.id('main');
    const merge = fixture.monorepo.merge(BRANCH);
    for (const name of ['left-pad', BRANCH]) {
      const { stderr } = await fixture.refused('IMPORT_MERGED', ['discard', name]);
      expect(stderr.replaceAll('\n', ' ')).toContain(`git revert -m 1 ${merge}`);
    }
    fixture.monorepo.git('revert', '--no-edit', '-m', '1', merge);
    expect(fixture.monorepo.id('main^{tree}')).toBe(fixture.monorepo.id(`${start}^{tree}`));
    fixture.monorepo.git('reset', '-q', '--hard', start);
    fixture.monorepo.git('merge', '-q', '--ff-only', BRANCH);
    fixture.monorepo.git('branch', '-q', '-D', BRANCH);
    expect((await fixture.refused('IMPORT_MERGED', ['discard', 'left-pad'])).stderr.replaceAll('\n', ' ')).toContain(
      `git revert -m 1 ${inner}`,
    );
  });

  test.each(['{name}-{version}', '{tag}', '{shortName}/{tag}'])('and verify tell the tags of %s from all others', async (pattern) => {
    const fixture = createFixture(cleanUp);
    const others = ['left-pad-right-9.9.9', 'v9.9.9', 'left-pad/v9', 'left-pad@9.9.9'];
    for (const name of others) fixture.monorepo.tag(name);
    const before = fixture.state().snapshot.refs;
    await fixture.accepted(['left-pad', '--from', createSource(cleanUp).path, '--tags', pattern]);
    fixture.monorepo.tag('left-pad-1.0.1', { at: `${BRANCH}~1^2` });
    expect((await fixture.accepted(['verify', 'left-pad', '--ref', BRANCH])).stdout).toContain('2 tags, unchanged');
    await fixture.discarded('left-pad');
    expect(fixture.state().snapshot.refs.filter((ref) => !ref.endsWith('left-pad-1.0.1'))).toEqual(before);
  });
});

test('an address that only a branch of a remote names is not asked', async () => {
  const fixture = await migrated();
  fixture.monorepo.git('update-ref', 'refs/remotes/fork/x', BRANCH);
  fixture.monorepo.git('branch', '-q', '-D', BRANCH);
  const { stdout } = await fixture.run(['status']);
  expect(stdout).toContain('the import is only on a remote branch, so its source was not contacted');
});

test('the records inside an imported history tell of another repository', async () => {
  const inner = await migrated();
  inner.monorepo.merge(BRANCH);
  inner.monorepo.commit('Be a package', {
    files: { 'packages/here': null, 'package.json': '{ "name": "outer", "workspaces": ["packages/*"] }\n' },
  });
  const fixture = createFixture(cleanUp);
  await fixture.accepted(['outer', '--from', inner.monorepo.path, '--no-align']);
  const { stdout } = await fixture.run(['status', '--json']);
  expect((JSON.parse(stdout) as { imports: { name: string }[] }).imports.map(({ name }) => name)).toEqual(['outer']);
});

describe('verify', () => {
  test('refuses a shallow clone', async () => {
    const fixture = await migrated();
    fixture.monorepo.merge(BRANCH);
    const clone = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(fixture.monorepo, '--depth=4')), fixture.home);
    await clone.refused('TARGET_SHALLOW', ['verify', 'left-pad']);
  });

  test('finds a missing blob', async () => {
    const fixture = await migrated();
    const blob = fixture.monorepo.id(`${BRANCH}:packages/left-pad/side.js`);
    fixture.monorepo.git('repack', '-adq');
    const packs = join(gitFolderOf(fixture.monorepo), 'objects', 'pack');
    const pack = readdirSync(packs).find((file) => file.endsWith('.pack')) ?? '';
    const content = fixture.monorepo
      .gitBytes('cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
      .toString()
      .trim()
      .split('\n');
    const kept = content.filter((id) => id !== blob).join('\n');
    const name = fixture.monorepo.gitWithInput(`${kept}\n`, 'pack-objects', '-q', join(packs, 'less'));
    expect(name).toMatch(/^[0-9a-f]{40}$/);
    for (const ending of ['pack', 'idx', 'rev']) writeFileSync(join(packs, pack.replace(/pack$/, ending)), '');
    const { code, stderr } = await fixture.run(['verify', 'left-pad', '--ref', BRANCH]);
    expect({ code, named: /PROOF_FAILED/.test(stderr) }).toEqual({ code: 1, named: true });
  });
});
