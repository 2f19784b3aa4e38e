import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { GroupedMessage, MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

// What npm itself would publish of a package, in its own repository and in the monorepo.

const cleanUp = cleanUpIn(afterEach);
let fixture: MigrationFixture;
let source: TempRepo;
beforeEach(() => {
  fixture = createFixture(cleanUp);
  source = createSource(cleanUp, 'left-pad', { version: '1.0.0' });
});

async function published(folder: string): Promise<readonly string[]> {
  const { stdout } = await runProcess('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], { cwd: folder });
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
  return (packed?.files ?? []).map(({ path }) => path).sort();
}

/** Migrates the package. Returns the messages of the carry-over step, and the package's folder on the branch. */
async function migrate(): Promise<{
  readonly changes: readonly GroupedMessage[];
  readonly decisions: readonly GroupedMessage[];
  readonly folder: string;
}> {
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json']);
  const { alignment } = JSON.parse(stdout) as MigrateResult;
  const { changes = [], decisions = [] } = alignment?.find(({ step }) => step === 'carry-over') ?? {};
  const isAbout = ({ text }: GroupedMessage): boolean => text.includes('npm would publish');
  fixture.monorepo.git('checkout', '-q', 'migrate/left-pad');
  return {
    changes: changes.filter(isAbout),
    decisions: decisions.flatMap(({ findings }) => findings).filter(isAbout),
    folder: join(fixture.monorepo.path, 'packages/left-pad'),
  };
}

test('the ignore files of a package stay, so that it publishes what it did', async () => {
  source.commit('Add', {
    files: { '.npmignore': 'test\n', '.gitignore': 'lib\n', 'test/a.js': '', 'lib/a.js': '', 'index.js': '', '.nvmrc': '1' },
  });
  source.git('add', '-f', 'lib');
  source.git('commit', '-q', '--amend', '--no-edit');
  const before = await published(source.path);
  const { changes, decisions, folder } = await migrate();
  expect(before).toContain('lib/a.js');
  expect(await published(folder)).toEqual(before);
  expect(decisions).toEqual([]);
  expect(changes).toEqual([]);
});

test('where rules above it hide files, the list that is proposed gives the same again', async () => {
  source.commit('Add', {
    files: {
      'lib/a.js': '',
      'lib/b c.js': '',
      'src/a.js': '',
      'a[1].js': '',
      '!b.js': '',
      'test/a.js': '',
      '.npmignore': 'test\n',
      'README.md': '',
    },
  });
  source.commit('Without', { files: { '.npmignore': null, '.gitignore': 'test\n' } });
  fixture.monorepo.commit('Ignore', { files: { '.gitignore': 'lib\n*.md\n' } });
  const before = await published(source.path);
  const { decisions, folder } = await migrate();
  expect(await published(folder)).not.toEqual(before);
  const detail = decisions[0]?.about[0]?.detail ?? '';
  expect(detail).toContain('2 files no longer (lib/a.js, lib/b c.js)');
  const files = JSON.parse(/"files": (\[.*\])`/.exec(detail)?.[1] ?? '') as string[];
  fixture.monorepo.write({ 'packages/left-pad/package.json': formatManifest({ name: 'left-pad', version: '1.0.0', files }) });
  expect(await published(folder)).toEqual(before);
});
