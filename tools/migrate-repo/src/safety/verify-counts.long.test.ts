import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { VerifyResult } from '../result/import-result.js';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

interface Imported {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;
  readonly proof: NonNullable<MigrateResult['packages'][number]['proof']>;
}

/** Creates a source with a merge, tags, a folder that is a package, and a commit by another person that only a tag reaches. */
function createTagged(): TempRepo {
  const source = createSource(cleanUp);
  const inFolder = (version: string): Files => ({ 'libs/ui/package.json': formatManifest({ name: 'left-pad', version }) });
  source.commit('Add a folder', { files: inFolder('1.2.0') });
  source.git('tag', 'v1.2.0');
  source.git('checkout', '-q', '-b', 'old');
  source.commit('Repair the old version', { files: { 'libs/ui/old.js': '1\n', ...inFolder('1.0.1') } });
  source.git('commit', '-q', '--amend', '--no-edit', '--author', 'Bob <bob@example.com>');
  source.git('tag', '-a', '-m', 'Old', 'v1.0.1');
  source.git('checkout', '-q', 'main');
  source.git('branch', '-q', '-D', 'old');
  return source;
}

async function bring(...options: readonly string[]): Promise<Imported> {
  const [fixture, source] = [createFixture(cleanUp), createTagged()];
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json', ...options]);
  const [one] = (JSON.parse(stdout) as MigrateResult).packages;
  if (one?.proof === null || one === undefined) throw new Error('no proof');
  fixture.monorepo.merge('migrate/left-pad');
  return { fixture, source, proof: one.proof };
}

async function verify(fixture: MigrationFixture, ...options: readonly string[]): Promise<VerifyResult> {
  return JSON.parse((await fixture.accepted(['verify', 'left-pad', '--json', ...options])).stdout) as VerifyResult;
}

function figuresOf({ commits, merges, authors, tags }: VerifyResult): object {
  return { commits, merges, authors, tags };
}

describe.each([
  ['a repository', [], ['inverse', 'moved again']],
  ['a folder', ['--subdirectory', 'libs/ui'], ['moved again', 'moved again']],
  ['a repository with its own ids', ['--strategy', 'merge'], ['ancestor', 'found again']],
] as const)('%s', (_, options, methods) => {
  test('is counted alike by the migration, by verify and by verify --refetch, with and without the tags', async () => {
    const { fixture, proof } = await bring(...options);
    const [here, again] = [await verify(fixture), await verify(fixture, '--refetch')];
    expect([here.method, again.method]).toEqual(methods);
    expect(figuresOf(again)).toEqual(figuresOf(here));
    const { commits, merges, authors } = proof;
    expect(here).toMatchObject({ commits, merges, authors, tags: { recorded: proof.tags, here: proof.tags } });
    const all = JSON.parse((await fixture.accepted(['verify', '--all', '--json'])).stdout) as { proven: readonly VerifyResult[] };
    expect(all.proven.map(figuresOf)).toEqual([figuresOf(here)]);
    for (const tag of fixture.monorepo.git('tag').split('\n')) fixture.monorepo.git('tag', '-d', tag);
    expect(figuresOf(await verify(fixture, '--refetch'))).toEqual(figuresOf(await verify(fixture)));
  });
});

test('people read the same figures', async () => {
  const { fixture, proof } = await bring();
  const figures = async (...more: readonly string[]): Promise<readonly string[]> =>
    (await fixture.accepted(['verify', 'left-pad', ...more])).stdout.match(/\d+ (?:commit|merge|author|tag)s?/g) ?? [];
  expect(await figures('--refetch')).toEqual(await figures());
  expect(await figures()).toEqual([`${proof.commits} commits`, '1 merge', '2 authors', '4 tags']);
});

test.each([[[]], [['--strategy', 'merge']]])('a commit that only a tag reaches is asked of the source too %j', async (options) => {
  const { fixture, source } = await bring(...options);
  source.git('tag', '-d', 'v1.0.1');
  await verify(fixture);
  const { stderr } = await fixture.refused('PROOF_FAILED', ['verify', 'left-pad', '--refetch']);
  expect(stderr).toContain('the source no longer has the tag for');
});
