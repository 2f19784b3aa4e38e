import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { signWithSsh } from '@tributary/test-repo/ssh-signing';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { VerifyResult } from '../result/import-result.js';
import type { MigrateResult, SyncResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;
let source: TempRepo;
let command: readonly string[];

beforeEach(() => {
  fixture = createFixture(cleanUp);
  source = createSource(cleanUp, 'left-pad', { repository: 'acme/left-pad' });
  source.commit('Fix #12, thanks @ada', { files: { a: '1' } });
  command = ['left-pad', '--from', source.path];
});

const VERIFY = ['verify', 'left-pad', '--ref', 'migrate/left-pad'];

async function answer<T = MigrateResult>(args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await fixture.run([...args, '--json']);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

test('a plan counts what the migration does, and shows it; the import is proven from the record, and against the source', async () => {
  const planned = (await answer([...command, '--dry-run'])).packages[0];
  expect(planned?.messages).toMatchObject({ repository: 'acme/left-pad', changed: 1, references: 1, closingWords: 1, mentions: 1 });
  const text = (await fixture.accepted([...command, '--dry-run'])).stdout;
  expect(text).toContain('Rewrites the messages of 1 commit: 1 reference named in full, 1 closing word broken, 1 mention broken.');
  expect(text).toContain('  - Fix #12, thanks @ada\n  + Fix the issue acme/left-pad#12, thanks @ ada\n');
  const done = (await answer(command)).packages[0];
  expect(done).toMatchObject({ messages: planned?.messages, falseSignatures: 0 });
  const merge = fixture.monorepo.git('log', '-1', '--format=%B', done?.commits?.merge ?? '');
  expect(merge).toContain('Tributary-Messages: qualified acme/left-pad\nTributary-Signatures: moved\n');
  expect((await answer<VerifyResult>(VERIFY)).method).toBe('inverse');
  expect((await answer<VerifyResult>([...VERIFY, '--refetch'])).method).toBe('moved again');
});

test('a message that was changed after the import is found without the source', async () => {
  const { tip } = await answer(command);
  const old = fixture.monorepo.git('log', '--format=%H', '--grep=Fix the issue', tip ?? '');
  const content = fixture.monorepo.git('cat-file', 'commit', old).replace('acme/left-pad#12', 'acme/left-pad#13');
  const forged = fixture.monorepo.writeObject('commit', `${content}\n`);
  const merge = fixture.monorepo.git('log', '--format=%H', '--grep=^Tributary-Import', tip ?? '');
  const record = fixture.monorepo.git('cat-file', 'commit', merge).replaceAll(old, forged);
  fixture.monorepo.git('update-ref', 'refs/heads/migrate/left-pad', fixture.monorepo.writeObject('commit', `${record}\n`));
  await fixture.refused('PROOF_FAILED', VERIFY);
});

test('exact: no byte of a message changes', async () => {
  const { packages, tip } = await answer([...command, '--exact']);
  expect(packages[0]?.messages).toBeNull();
  expect(fixture.monorepo.git('log', '--format=%s', tip ?? '')).toContain('Fix #12, thanks @ada');
  expect(fixture.monorepo.git('log', '--format=%B', tip ?? '')).toContain('Tributary-Messages: exact\nTributary-Signatures: keep\n');
  expect((await answer<VerifyResult>([...VERIFY, '--refetch'])).method).toBe('moved again');
});

test('an import of version 1 is still proven, listed and taken back', async () => {
  await answer([...command, '--exact', '--no-align']);
  const branch = 'refs/heads/migrate/left-pad';
  const merge = fixture.monorepo.git('log', '--format=%H', '--grep=^Tributary-Import', branch);
  const content = fixture.monorepo.git('cat-file', 'commit', merge).replace('Mapping-Version: 2', 'Mapping-Version: 1');
  // Commits of that version had no mark: the branch's reflog tells who made them.
  fixture.monorepo.git('update-ref', '-d', branch);
  fixture.monorepo.git('update-ref', '-m', 'migrate-repo: left-pad', branch, fixture.monorepo.writeObject('commit', `${content}\n`));
  expect(fixture.monorepo.git('log', '-1', '--format=%B', branch)).toContain('Tributary-Mapping-Version: 1');
  expect((await answer<VerifyResult>(VERIFY)).method).toBe('inverse');
  expect((await answer<VerifyResult>([...VERIFY, '--refetch'])).method).toBe('moved again');
  expect((await fixture.run(['status'])).stdout).toContain('on branch migrate/left-pad, not merged');
  await fixture.discarded('left-pad');
  expect(fixture.monorepo.git('branch', '--list', 'migrate/*')).toBe('');
});

/** Makes of an import one of version 2, which broke mentions by a zero-width space. */
function asVersion2(version: '2' | '4'): void {
  const { monorepo } = fixture;
  const branch = 'refs/heads/migrate/left-pad';
  const old = monorepo.git('log', '--format=%H', '--grep=Fix the issue', branch);
  const moved = monorepo.writeObject('commit', `${monorepo.git('cat-file', 'commit', old).replace('@ ada', '@\u200bada')}\n`);
  const merge = monorepo.git('log', '--format=%H', '--grep=^Tributary-Import', branch);
  const record = monorepo
    .git('cat-file', 'commit', merge)
    .replaceAll(old, moved)
    .replace('Mapping-Version: 4', `Mapping-Version: ${version}`);
  monorepo.git('update-ref', branch, monorepo.writeObject('commit', `${record}\n`));
}

test('an import of version 2 is proven by its own rules, and synced by them', async () => {
  await answer([...command, '--no-align']);
  asVersion2('2');
  expect((await answer<VerifyResult>(VERIFY)).method).toBe('inverse');
  expect((await answer<VerifyResult>([...VERIFY, '--refetch'])).method).toBe('moved again');
  fixture.monorepo.git('checkout', '--quiet', 'migrate/left-pad');
  source.commit('Thanks to @bob', { files: { b: '1' } });
  expect((await answer<SyncResult>(['sync', 'left-pad'])).state).toBe('synced');
  expect(fixture.monorepo.git('log', '--format=%s', 'sync/left-pad')).toMatch(/^Thanks to @\u200bbob$/m);
  expect(fixture.monorepo.git('log', '-1', '--format=%B', '--grep=^Tributary-Import: 2', 'sync/left-pad')).toContain(
    'Tributary-Mapping-Version: 2\n',
  );
  await answer(['verify', '--all', '--ref', 'sync/left-pad']);
});

test('an import of version 4 has no zero-width space, and one with it is not proven', async () => {
  const { tip } = await answer([...command, '--no-align']);
  expect(fixture.monorepo.git('log', '--format=%B', tip ?? '')).not.toContain('\u200b');
  expect(fixture.monorepo.git('log', '--format=%B', tip ?? '')).toContain('Tributary-Mapping-Version: 4\n');
  asVersion2('4');
  await fixture.refused('PROOF_FAILED', VERIFY);
});

describe('where commit.gpgSign is set', () => {
  beforeEach(() => {
    signWithSsh(fixture.monorepo, cleanUp.add(new TempFolder()));
    fixture.monorepo.git('config', 'commit.gpgSign', 'true');
  });

  test.each([[[]], [['--strategy', 'merge']]])('every commit of ours is signed, with %j', async (options) => {
    const { tip, packages } = await answer([...command, ...options]);
    const own = fixture.monorepo.git('rev-list', '--first-parent', tip ?? '', '^HEAD').split('\n');
    const imported = packages[0]?.proof?.importedTip ?? '';
    for (const id of [...own, ...(options.length === 0 ? [] : [imported])])
      expect(fixture.monorepo.git('cat-file', 'commit', id)).toMatch(/^gpgsig -----BEGIN SSH SIGNATURE-----$/m);
    expect(own.length).toBeGreaterThan(1);
    expect(fixture.monorepo.git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
    await answer(VERIFY);
    await fixture.discarded('left-pad');
  });

  test('a signer that fails is an error, and nothing is handed over', async () => {
    fixture.monorepo.git('config', 'gpg.ssh.program', 'false');
    await fixture.refused('SIGNING_FAILED', command);
    fixture.monorepo.git('config', 'user.signingKey', '/nothing/there');
    await fixture.refused('SIGNING_FAILED', [...command, '--strategy', 'merge']);
    await fixture.accepted([...command, '--dry-run']);
  });
});
