import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Receipt } from '../receipt/receipt.js';
import { jsonFilesIn, ShardRepo, type TestedPackage } from '../testing/shard-repo.fixture.js';

// A cached result may have the same files, and another state of something that turborepo's hash does not see. These tests make such a
// result. The change is tested, main changes, main is merged, and the change is tested again, now for its own file alone.

const cleanUp = cleanUpIn(afterAll);

interface Case {
  readonly packages: Readonly<Record<string, TestedPackage>>;
  /** Changes the package `lib`, or a file, on main. */
  readonly moves: string;
  readonly files?: Readonly<Record<string, string>>;
}

const CASES: Readonly<Record<string, Case>> = {
  'a peer': { packages: { lib: {}, user: { manifest: { peerDependencies: { lib: '*' } } } }, moves: 'packages/p0/src.js' },
  'a dependency of which no task runs before the tests': {
    packages: {
      lib: {},
      user: { dependencies: ['lib'], files: { 'turbo.json': '{ "extends": ["//"], "tasks": { "test": { "dependsOn": [] } } }' } },
    },
    moves: 'packages/p0/src.js',
  },
  'a file that a rule names': {
    packages: { lib: {}, user: {} },
    moves: 'data.json',
    files: { 'tributary.json': '{ "affected": { "rules": [{ "files": "data.json", "affects": ["user"] }] } }\n', 'data.json': '1\n' },
  },
  'a file outside of all workspaces, which turborepo does not hash': { packages: { lib: {}, user: {} }, moves: 'data.json' },
};

test.each(Object.entries(CASES))('the result from before a change of %s does not count', async (_, { packages, moves, files }) => {
  const one = await ShardRepo.create(cleanUp, packages, { changed: ['user'], ...(files === undefined ? {} : { files }) });
  await runPlanned(one);
  expect(timesRun(one)).toBe(1);
  one.repo.git('checkout', '-q', 'main');
  one.repo.write({ [moves]: '2;\n' });
  one.repo.commit('Move on');
  one.repo.git('checkout', '-q', 'topic');
  one.repo.git('merge', '-q', '--no-edit', 'main');
  await runPlanned(one);
  expect(timesRun(one)).toBe(2);
});

test('a result counts where all that the workspace gets something from is in the hash', async () => {
  const one = await ShardRepo.create(cleanUp, { lib: {}, user: { dependencies: ['lib'] } }, { changed: ['user'] });
  await runPlanned(one);
  await runPlanned(one);
  expect(timesRun(one)).toBe(1);
});

test('a result over what a task without outputs left in a checkout that is kept does not count', async () => {
  const check = "node -e \"process.exit(require('node:fs').readFileSync('../p0/made.txt', 'utf8') === 'right' ? 0 : 1)\"";
  const lib = { manifest: { scripts: { build: 'cp src.js made.txt' } }, files: { '.gitignore': 'made.txt\n' } };
  const one = await ShardRepo.create(cleanUp, { lib, user: { dependencies: ['lib'], test: check } }, { changed: ['user'] });
  const change = (text: string): void => {
    one.repo.write({ 'packages/p0/src.js': text });
    one.repo.commit(`Make ${text}`);
  };
  change('wrong');
  await expect(runPlanned(one)).rejects.toThrow();
  change('right');
  await runPlanned(one);
  // turborepo has the build of `wrong`, but restores nothing of it: the file of the job before is still there.
  change('wrong');
  await expect(runPlanned(one)).rejects.toThrow();
  const [file = ''] = jsonFilesIn(join(one.work, 'receipts'));
  expect(readFileSync(join(one.work, 'receipts', file), 'utf8')).toContain('restores nothing of lib#build, which has no outputs');
});

// `native`: a program that does not load our file.
test.each(['turbo run unit --only --cache-dir=.turbo/own -- --forceExit', 'native run unit --only'])(
  'what a turborepo inside of a script has kept does not count: %s',
  async (script) => {
    const unit = "node -e \"process.exit(require('node:fs').readFileSync('../p0/src.js', 'utf8') === '0;\\n' ? 0 : 1)\" --";
    const one = await ShardRepo.create(
      cleanUp,
      { lib: {}, user: { dependencies: ['lib'], manifest: { scripts: { test: script, unit } } } },
      { changed: ['user'], files: { 'turbo.json': '{ "globalPassThroughEnv": ["RAN_LOG"], "tasks": { "test": {}, "unit": {} } }\n' } },
    );
    const native = `#!/bin/sh\nunset NODE_OPTIONS\nexec "${join(one.work, 'bin/turbo')}" "$@"\n`;
    writeFileSync(join(one.work, 'bin/native'), native, { mode: 0o755 });
    await runPlanned(one);
    one.repo.write({ 'packages/p0/src.js': '2;\n' });
    one.repo.commit('Break what it reads');
    await expect(runPlanned(one)).rejects.toThrow();
  },
);

test('a result that another version of turborepo than that of yarn.lock replays does not count', async () => {
  const one = await ShardRepo.create(cleanUp, { user: {} }, { changed: ['user'] });
  one.repo.git('checkout', '-q', 'main');
  const lock = readFileSync(join(one.repo.path, 'yarn.lock'), 'utf8');
  const entry = '"turbo@npm:^2.0.0":\n  version: 2.0.0\n  resolution: "turbo@npm:2.0.0"\n  languageName: node\n  linkType: hard\n';
  one.repo.write({ 'yarn.lock': `${lock}\n${entry}` });
  one.repo.commit('Lock another turborepo');
  one.repo.git('checkout', '-q', 'topic');
  one.repo.git('merge', '-q', '--no-edit', 'main');
  await runPlanned(one);
  await runPlanned(one);
  const [file = ''] = jsonFilesIn(join(one.work, 'receipts'));
  const [piece] = (JSON.parse(readFileSync(join(one.work, 'receipts', file), 'utf8')) as Receipt).pieces;
  expect([timesRun(one), piece?.forced]).toEqual([2, expect.stringMatching(/^turborepo \S+ runs here, and yarn\.lock names 2\.0\.0\.$/)]);
});

async function runPlanned(one: ShardRepo): Promise<void> {
  const plan = join(one.work, 'plan.json');
  for (const args of [
    ['plan', '--base', 'main', '--out', plan],
    ['run-shard', '01', '--plan', plan, '--receipts', join(one.work, 'receipts')],
  ]) {
    const { code, stderr } = await one.affected(args);
    if (code !== 0) throw new Error(stderr);
  }
}

function timesRun({ log }: ShardRepo): number {
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line === 'user').length
    : 0;
}
