import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { AffectedResult } from '../result.js';
import { lockOf, ObservedRepo } from './observed.fixture.js';

const cleanUp = cleanUpIn(afterAll);

const manifestWith = (more: object): string =>
  JSON.stringify({
    name: 'monorepo',
    private: true,
    workspaces: ['packages/*'],
    devDependencies: { left: '^1.0.0' },
    ...more,
  });

let one: ObservedRepo;
beforeAll(() => {
  one = new ObservedRepo(cleanUp, {
    'tributary.json': '{ "affected": { "observed": "narrow" } }\n',
    'package.json': manifestWith({}),
    'yarn.lock': lockOf('1.0.0'),
    'data/alpha.json': '1\n',
    'data/deep/beta.json': '1\n',
    'shared.cfg': '1\n',
    'setup.sh': 'true\n',
    'named.js': '0;\n',
    'pit/gen.js': 'require("./" + kind);\n',
    'names.js': 'require("./named");\n',
    '.hidden.json': '1\n',
  });
});

/** Returns the selected workspaces; `all` if the answer has a reason for everybody. */
function selected({ all, workspaces }: AffectedResult): 'all' | readonly string[] {
  return all === null ? workspaces.map(({ name }) => name) : 'all';
}

const SHARED = { 'shared.cfg': '2\n' };
const INSTALLS = '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "node x" } }\n';
const PREPARES = INSTALLS.replace('postinstall', 'prepare');
const run = (): string => one.start.slice(0, 10);

describe('a file of the root spares who did not read it', () => {
  test('with the reason, and selects all others with theirs', async () => {
    const again = { ...one.observed('other'), tracer: 'another run' };
    const result = await one.select(SHARED, [one.observed('other'), again, one.observed('lib', { files: ['shared.cfg'] })]);
    expect(selected(result)).toEqual(['monorepo', 'app', 'bare', 'lib']);
    expect(result.spared).toEqual([
      { name: 'other', path: 'packages/other', reason: `not affected by shared.cfg: not read in 2 observed runs, last at ${run()}` },
    ]);
    expect(result.workspaces.find(({ name }) => name === 'bare')?.reasons).toEqual([
      { kind: 'shared', reason: expect.stringContaining('shared.cfg'), because: 'it was not observed.' },
    ]);
  });

  test('and who depends on one that read it, by whatever edge', async () => {
    const result = await one.select(SHARED, [one.observed('app'), one.observed('lib', { files: ['shared.cfg'] }), one.observed('other')]);
    expect(result.workspaces.find(({ name }) => name === 'app')?.reasons).toMatchObject([{ kind: 'dependency', path: ['app', 'lib'] }]);
    expect(result.spared?.map(({ name }) => name)).toEqual(['other']);
  });

  test('not where it is only told to add, and not where it has no observation', async () => {
    const add = new ObservedRepo(cleanUp, { 'shared.cfg': '1\n' });
    expect(selected(await add.select(SHARED, [add.observed('other')]))).toBe('all');
    expect(selected(await one.select(SHARED, [one.observed('gone')]))).toBe('all');
  });

  test('not where the question names no task: others may read it', async () => {
    const result = await one.select(SHARED, [one.observed('other')], { task: undefined });
    expect([selected(result), result.spared]).toEqual(['all', undefined]);
    expect(result.warnings.join()).toContain('each belongs to one task. Add --task');
  });

  test('but not who is selected by another reason', async () => {
    const result = await one.select(
      { ...SHARED, 'packages/lib/own.js': '1;\n' },
      ['app', 'lib', 'other', 'bare'].map((name) => one.observed(name)),
    );
    expect(selected(result)).toEqual(['monorepo', 'app', 'lib']);
    expect(result.spared?.map(({ name }) => name)).toEqual(['bare', 'other']);
  });
});

describe('what only tests use spares the others', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['a file that a test names', { 'shared.cfg': '2\n', 'packages/lib/test/shared.js': 'read("../../../shared.cfg");\n' }],
    [
      'a file that a test reads by a helper',
      {
        'kit/rates.cfg': '2\n',
        'kit/testHelpers.js': 'read(join(__dirname, "rates.cfg"));\n',
        'packages/lib/src/rates.test.js': 'import "../../../kit/testHelpers.js";\n',
      },
    ],
    [
      'a file that a suite reads, which a manifest runs',
      {
        ...SHARED,
        'packages/lib/rates.test.js': 'read("../../shared.cfg");\n',
        'packages/bare/package.json': `{ "name": "bare", "scripts": { "t": "node ../lib/rates.test.js" } }`,
      },
    ],
    ['any, beside a script that Yarn does not run', { ...SHARED, 'packages/bare/package.json': PREPARES }],
    [
      'a file that a test with the name of a package names',
      { ...SHARED, 'packages/lib/test/left.js': 'read("../../../shared.cfg");\n', 'packages/lib/go.js': 'import "left";\n' },
    ],
    ['another file of a named folder', { 'kit/rates.cfg': '2\n', 'jest.js': 'load("./kit/setup.js");\n' }],
    [
      'any, beside a manifest of a fixture that an installation would run',
      { ...SHARED, 'packages/lib/test/fixtures/app-1/package.json': INSTALLS },
    ],
  ])('%s', async (_, files) => {
    const result = await one.select(files, [one.observed('other')]);
    expect(result.spared?.map(({ name }) => name)).toEqual(['other']);
  });
});

describe('what is no proof spares nobody', () => {
  test('a run at an older commit whose own inputs have changed since', async () => {
    const kept = ['lib', 'other'].map((name) => one.observed(name));
    one.change({ 'packages/other/own.js': '2;\n' });
    const base = one.repo.git('rev-parse', 'HEAD').trim();
    const result = await one.select(SHARED, kept, { base });
    expect(result.spared?.map(({ name }) => name)).toEqual(['lib']);
    expect(selected(result)).toContain('other');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a file that something else names', { 'named.js': '1;\n' }, 'which names.js may run or read before the tests, since'],
    [
      'a file that code of a workspace names',
      { 'limits.cfg': '1\n', 'packages/lib/go.js': 'copy("../../limits.cfg");\n' },
      'which packages/lib/go.js may run',
    ],
    ['a file below a folder that a script names', { 'config/env/x9.cfg': '1\n', 'x7.sh': 'cp -r config /etc\n' }, 'which x7.sh may run'],
    ['a hidden file', { '.hidden.json': '2\n' }, 'which acts without being read'],
    ['a setting of turborepo', { 'packages/other/turbo.json': '{}\n', ...SHARED }, ''],
    ['a committed folder of packages', { 'data/node_modules/left/index.js': '0;\n', ...SHARED }, 'index.js changed, which acts'],
    ['attributes of git', { 'packages/lib/.gitattributes': '* text\n', ...SHARED }, '.gitattributes changed, which acts'],
    ['a rule of the project', { 'tributary.json': '{}\n', ...SHARED }, ''],
    ['what a CI job does', { 'data/alpha.json': '2\n', 'ci.yml': 'run: cat data/*\n' }, 'ci.yml changed, which acts'],
    ['what an installation may read', { 'packages/bare/package.json': INSTALLS, ...SHARED }, 'while dependencies are installed'],
    [
      'what a test for a script may read',
      { ...SHARED, 'packages/lib/test/kit.js': 'read("../../../shared.cfg");\n', 'x5.sh': 'node packages/lib/test/kit\n' },
      'which x5.sh may run',
    ],
    [
      'what a helper may read for code that no test is',
      { ...SHARED, 'packages/lib/test/kit.js': 'read("../../../shared.cfg");\n', 'packages/lib/go.js': 'import "./test/kit.js";\n' },
      'which packages/lib/go.js may run',
    ],
    [
      'what a suite may read that a script runs',
      { ...SHARED, 'packages/lib/rates.test.js': 'read("../../shared.cfg");\n', 'x9.sh': 'node packages/lib/rates.test.js\n' },
      'which x9.sh may run',
    ],
    [
      'what the settings of a runner may read that other code loads',
      { ...SHARED, 'packages/lib/jest.config.js': 'read("../../shared.cfg");\n', 'packages/lib/go.js': 'import "./jest.config.js";\n' },
      'which packages/lib/go.js may run',
    ],
    [
      'what scripts of a shell may read, which a job runs all',
      { ...SHARED, 'packages/lib/test/run.sh': 'cat ../../../shared.cfg\n' },
      'which packages/lib/test/run.sh may run',
    ],
    [
      'what an import may lead to whose name is put together',
      { 'config/prod.cfg': '1\n', 'packages/lib/go.js': 'require("../../config/" + env);\n' },
      'which packages/lib/go.js may run',
    ],
    [
      'what a test may read that such an import leads to',
      { ...SHARED, 'packages/lib/test/kit.js': 'read("../../../shared.cfg");\n', 'packages/lib/go.js': 'require("./test/" + name);\n' },
      'which packages/lib/go.js may run',
    ],
    [
      'what a package finds that is called like its folder',
      { 'left/default.cfg': '1\n', 'packages/lib/go.js': 'require("left");\n' },
      'which packages/lib/go.js may run',
    ],
    [
      'a folder through which a file of its own goes',
      { 'pit/rates.cfg': '1\n', 'packages/lib/go.js': 'import "../../pit/gen.js";\n' },
      'which packages/lib/go.js may run',
    ],
    ['a folder above one that a script goes to', { 'kit/rates.cfg': '1\n', 'x8.sh': 'cd kit/sub && cat ../*\n' }, 'which x8.sh may run'],
    [
      'what a fixture may read that a script installs',
      { ...SHARED, 'packages/lib/test/app-1/package.json': INSTALLS, 'x6.sh': 'cd packages/lib/test/app-1 && npm ci\n' },
      'packages/lib/test/app-1/package.json may read while',
    ],
    [
      'what the project of all tests may read',
      { ...SHARED, 'packages/lib/test/package.json': INSTALLS },
      'test/package.json may read while',
    ],
    ['what a nested project may read', { ...SHARED, 'packages/lib/demo/package.json': INSTALLS }, 'demo/package.json may read while'],
    ['the settings of the root', { 'package.json': manifestWith({ resolutions: { left: '2' } }), ...SHARED }, ''],
    [
      'a dependency of the root, of which the lockfile does not say',
      { 'package.json': manifestWith({ devDependencies: { left: '^2.0.0' } }), 'packages/bare/go.js': 'import "left";\n' },
      'it is unknown what package.json and yarn.lock install',
    ],
    ['a dependency of the root without a known linker', { 'yarn.lock': lockOf('1.1.0'), ...SHARED }, 'it is unknown what package.json'],
  ])('after a change of %s', async (_, files, because) => {
    const result = await one.select(
      files,
      ['app', 'lib', 'other', 'bare'].map((name) => one.observed(name)),
    );
    expect([result.spared ?? [], selected(result)]).toEqual([[], 'all']);
    expect(result.warnings.join()).toContain(because);
  });
});

test('Yarn 1 also runs the script prepare', async () => {
  const classic = new ObservedRepo(cleanUp, {
    'tributary.json': '{ "affected": { "observed": "narrow" } }\n',
    'yarn.lock': '# yarn lockfile v1\n',
    'shared.cfg': '1\n',
    'packages/bare/package.json': PREPARES,
  });
  const result = await classic.select(SHARED, [classic.observed('other')]);
  expect([selected(result), result.warnings.join()]).toEqual(['all', expect.stringContaining('while dependencies are installed')]);
});
