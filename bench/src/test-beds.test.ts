import { afterEach, expect, test } from '@jest/globals';
import { installEnvironment } from '@tributary/process/environment';
import { runProgram } from '@tributary/process/spawn';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { openAlone } from './test-alone.js';
import { openMigrated } from './test-migrated.js';
import { formatRun, type TestBed } from './test-run.js';

const cleanUp = cleanUpIn(afterEach);

type Packages = Parameters<typeof openMigrated>[1];

const COUNTED = 'echo "  5 passing (1ms)"';
const YARN = yarnRelease(findProjectRoot());
const SETTINGS = { '.yarnrc.yml': `nodeLinker: node-modules\nyarnPath: ${YARN}\nenableTelemetry: false\n` };

async function fares(bed: TestBed, names: readonly string[]): Promise<string[]> {
  const results: string[] = [];
  for (const name of names) results.push(formatRun(await bed(name)));
  return results;
}

test('alone, a package is tested at the commit that was migrated, installed with its scripts if that succeeds', async () => {
  const repo = (manifest: object): TempRepo => {
    const made = cleanUp.add(TempRepo.create());
    made.commit('Start', { files: { 'package.json': JSON.stringify(manifest) } });
    return made;
  };
  const ui = repo({ name: 'ui', scripts: { test: COUNTED } });
  const old = ui.git('rev-parse', 'HEAD').trim();
  ui.commit('Break it', { files: { 'package.json': '{"name":"ui","scripts":{"test":"exit 1"}}' } });
  const native = repo({ name: 'native', scripts: { install: 'exit 1', test: COUNTED } });
  const docs = repo({ name: 'docs' });
  const sources = new Map([ui, native, docs].map((one, at) => [['ui', 'native', 'docs'][at] ?? '', one.path as string]));
  const packages = [...sources].map(([name, path]) => {
    const tip =
      name === 'ui'
        ? old
        : [native, docs]
            .find((one) => one.path === path)
            ?.git('rev-parse', 'HEAD')
            .trim();
    return { name, sourceCommit: tip } as Packages[number];
  });
  const bed = openAlone(sources, packages, cleanUp.add(new TempFolder()).path);
  expect(await fares(bed, ['ui', 'native', 'docs'])).toEqual(['5', '5', 'no tests']);
  expect((await bed('native')).remark).toBe('installed without scripts: one of them fails on this machine');
});

test('in the monorepo, what a package needs is built before it, and one that cannot be built says so', async () => {
  const make = `node -e "require('fs').writeFileSync('built.js', '')"`;
  const repo = createTempMonorepo({
    packages: {
      // In the order of names it would come first.
      'packages/app': { dependencies: { lib: 'workspace:^' }, scripts: { build: 'node -e "require(\'lib/built.js\')"', test: COUNTED } },
      'packages/lib': { scripts: { prepare: make, test: 'echo "  4 passing (1ms)"; echo "  1 failing"; exit 1' } },
      'packages/sad': { scripts: { build: 'exit 1', test: COUNTED } },
      'packages/docs': {},
      'packages/here': { scripts: { build: 'exit 1' } },
    },
    files: { ...SETTINGS, 'yarn.lock': '' },
  });
  cleanUp.add(repo);
  await runProgram({
    program: process.execPath,
    args: [YARN, 'install'],
    cwd: repo.path,
    env: installEnvironment(process.env, { YARN_ENABLE_IMMUTABLE_INSTALLS: '0' }),
  });
  repo.git('add', 'yarn.lock');
  repo.commit('Install');
  const packages = ['app', 'lib', 'sad', 'docs'].map((name) => ({ name, path: `packages/${name}` }));
  const bed = await openMigrated(repo.path, packages as unknown as Packages, cleanUp.add(new TempFolder()).path);
  expect(await fares(bed, ['app', 'lib', 'sad', 'docs'])).toEqual(['5', '4 + 1 failed', 'not built', 'no tests']);
});

test('a branch that cannot be installed as it is locked is an error that says what Yarn said', async () => {
  const repo = cleanUp.add(createTempMonorepo({ packages: { 'packages/ui': {} }, files: { ...SETTINGS, 'yarn.lock': '' } }));
  await expect(openMigrated(repo.path, [], cleanUp.add(new TempFolder()).path)).rejects.toThrow(
    /--immutable ended badly in a clone of the branch:\n[\s\S]*YN0028/,
  );
});
