import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { MigrateResult } from '../result/result.js';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';
import { createSource, keepFolders } from './migration.fixture.js';

// With the user's agreement, the finished branch is installed with all scripts in a fresh clone. Otherwise they are named.

// On a busy machine Yarn 4.18 may start a script before its log is open: `The argument 'stdio' is invalid`.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const cleanUp = cleanUpIn(afterAll);
let traces: TempFolder;
let installed: InstalledFixture;
let putBack: () => void;

beforeAll(async () => {
  traces = cleanUp.add(new TempFolder());
  installed = await createInstalledFixture(cleanUp, { packages: [], workspaces: {} });
  putBack = keepFolders(cleanUp, [installed.fixture.monorepo.path, installed.fixture.home.path, traces.path]);
});

beforeEach(() => putBack());

function sourceWith(scripts: Readonly<Record<string, string>>): string {
  const source = createSource(cleanUp, 'left-pad', { scripts });
  source.commit('Unlock', { files: { 'yarn.lock': null } });
  return source.path;
}

async function migrated(source: string, ...args: readonly string[]): Promise<MigrateResult> {
  const { stdout } = await installed.fixture.accepted(['left-pad', '--from', source, '--json', ...args], { env: installed.env });
  return JSON.parse(stdout) as MigrateResult;
}

function lockStep({ alignment }: MigrateResult): NonNullable<MigrateResult['alignment']>[number] {
  const step = alignment?.find((one) => one.step === 'lockfile');
  if (step === undefined) throw new Error('nothing was installed');
  return step;
}

const NEVER_RUN = /^Unless the tests were compared, these scripts were never run: /;

test('a script finds the finished branch as a repository, and nothing is said to be unrun', async () => {
  const file = traces.join('heads');
  const result = await migrated(
    sourceWith({ postinstall: `git rev-parse --verify HEAD >> ${file} || echo none >> ${file}` }),
    '--run-scripts',
  );
  expect(readFileSync(file, 'utf8').trim().split('\n').at(-1)).toBe(result.tip);
  const told = lockStep(result).changes.map(({ text }) => text);
  expect(told).toContain('Installed again with `yarn install --immutable`, with scripts, in a fresh clone of the branch.');
  expect(told.filter((text) => NEVER_RUN.test(text))).toEqual([]);
});

test('a script that fails only in a repository is refused with its package', async () => {
  const source = sourceWith({ postinstall: '! git rev-parse --verify HEAD' });
  const { stderr } = await installed.fixture.refused('INSTALL_FAILED', ['left-pad', '--from', source, '--run-scripts'], {
    env: installed.env,
  });
  expect(stderr).toMatch(/left-pad \(packages\/left-pad\) cannot be installed/);
});

test('a script that deletes the lockfile is refused by name; without the agreement it is named, and not run', async () => {
  const source = sourceWith({ preinstall: `rm -f ../../yarn.lock; touch ${traces.join('ran')}` });
  const { stderr } = await installed.fixture.refused('INSTALL_FAILED', ['left-pad', '--from', source, '--run-scripts'], {
    env: installed.env,
  });
  expect(stderr).toContain('A script of the installation changes or deletes yarn.lock');
  expect(stderr).toContain('"preinstall" of left-pad');
  expect(existsSync(traces.join('ran'))).toBe(true);
  putBack();
  const result = await migrated(source);
  expect(lockStep(result).changes.map(({ text }) => text)).toContainEqual(expect.stringMatching(/never run: `preinstall` of left-pad\. /));
  expect(result.alignment?.flatMap(({ decisions }) => decisions).map(({ findings }) => JSON.stringify(findings))).toContainEqual(
    expect.stringContaining('rm -f ../../yarn.lock'),
  );
  expect(existsSync(traces.join('ran'))).toBe(false);
  expect(installed.fixture.monorepo.git('show', 'migrate/left-pad:yarn.lock')).toContain('left-pad@workspace:');
});

test('a script that changes another file that git tracks is asked about', async () => {
  const result = await migrated(sourceWith({ postinstall: 'echo changed >> src/index.js; echo new > untracked.js' }), '--run-scripts');
  expect(lockStep(result).decisions.map(({ text }) => text)).toContain(
    'An installation with scripts changes files that git tracks: `packages/left-pad/src/index.js`.',
  );
});
