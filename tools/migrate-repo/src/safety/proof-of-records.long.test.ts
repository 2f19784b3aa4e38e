import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrationFixture } from './migration.fixture.js';
import { BRANCH, ProofFixture, WHOLE } from './proof.fixture.js';

// Merge commits and records that somebody changed or forged.

let proof: ProofFixture;
let fixture: MigrationFixture;
let source: TempRepo;
let repo: TempRepo;

beforeEach(async () => {
  proof = await ProofFixture.create();
  ({ fixture, source, repo } = proof);
});

/** Rewrites the import's merge commit with another message or tree, and moves the branch there. */
function tamper(change: (commit: string) => string): void {
  const merge = repo.git('log', '-1', '--merges', '--format=%H', BRANCH);
  const content = change(`${repo.git('cat-file', 'commit', merge)}\n`);
  repo.git('update-ref', `refs/heads/${BRANCH}`, repo.writeObject('commit', content));
}

describe('a merge commit that is not as the migration made it', () => {
  test('an extra file beside the import fails', async () => {
    const merge = repo.id(`${BRANCH}~1`);
    const blob = repo.writeObject('blob', 'evil\n');
    repo.git('read-tree', merge);
    repo.git('update-index', '--add', '--cacheinfo', `100644,${blob},.github/workflows/evil.yml`);
    const tree = repo.git('write-tree');
    repo.git('reset', '-q', '--hard');
    tamper((commit) => commit.replace(/^tree .*/, `tree ${tree}`));
    const { stderr } = await fixture.run(['verify', 'left-pad', '--ref', BRANCH]);
    expect(stderr).toMatch(/also changes \.github\/workflows\/evil\.yml.*\[PROOF_FAILED\]/s);
    expect(await proof.proveAll('--ref', BRANCH)).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
  });

  test('an unreadable record fails', async () => {
    tamper((commit) => commit.replace('Tributary-Import: 1', 'Tributary-Import: 99'));
    expect(await proof.refused('--ref', BRANCH)).toMatchObject({ code: 'PROOF_FAILED' });
    expect(await proof.proveAll('--ref', BRANCH)).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
    repo.merge(BRANCH);
    expect(await proof.refused()).toMatchObject({ code: 'PROOF_FAILED' });
  });

  test('an unreadable record is told alone, though another branch has the same import with a record that can be read', async () => {
    repo.git('branch', 'readable', BRANCH);
    tamper((commit) => commit.replace('Tributary-Import: 1', 'Tributary-Import: 99'));
    repo.merge(BRANCH);
    expect(await proof.proveAll()).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
  });
});

describe('a record that was forged consistently', () => {
  /** Replaces the source's history with a different one whose record fits it. */
  async function forge(): Promise<void> {
    source.git('checkout', '-q', '-b', 'forged');
    source.commit('Evil', { files: { 'evil.js': '' } });
    repo.git('branch', '-q', '-D', BRANCH);
    for (const tag of repo.git('tag').split('\n')) repo.git('tag', '-d', tag);
    expect((await fixture.run(['left-pad', '--from', source.path, '--source-branch', 'forged', '--no-tags'])).code).toBe(0);
    tamper((commit) => commit.replace('Source-Ref: refs/heads/forged', 'Source-Ref: refs/heads/main'));
    source.checkout('main');
    repo.merge(BRANCH);
  }

  test('is proven offline, which says that it compared with the record alone, and fails with --refetch', async () => {
    await forge();
    expect(await proof.accepted()).toMatchObject({ fetched: null });
    expect((await fixture.run(['verify', 'left-pad'])).stdout).toContain('Compared only with the import record.');
    expect(await proof.refused('--refetch')).toMatchObject({ code: 'PROOF_FAILED' });
    expect(await proof.proveAll()).toEqual(WHOLE);
    expect(await proof.proveAll('--refetch')).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
  });
});
