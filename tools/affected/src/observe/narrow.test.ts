import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { AffectedResult } from '../result.js';
import type { Observation } from './observation.js';
import { ObservedRepo } from './observed.fixture.js';

const cleanUp = cleanUpIn(afterAll);

function lockOf(versions: Readonly<Record<string, string>>, deps: Readonly<Record<string, string>> = {}): string {
  const members = ['app', 'lib', 'other', 'bare'].map(
    (name) =>
      `"${name}@workspace:packages/${name}":\n  version: 0.0.0-use.local\n  resolution: "${name}@workspace:packages/${name}"\n${name === 'app' ? '  dependencies:\n    lib: "workspace:^"\n' : ''}  languageName: unknown\n  linkType: soft\n`,
  );
  const root = `"monorepo@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "monorepo@workspace:."\n  dependencies:\n${Object.keys(
    versions,
  )
    .map((name) => `    ${name}: "npm:*"\n`)
    .join('')}  languageName: unknown\n  linkType: soft\n`;
  const packages = Object.entries(versions).map(
    ([name, version]) =>
      `"${name}@npm:*":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n${name in deps ? `  dependencies:\n    ${deps[name]}: "npm:*"\n` : ''}  bin:\n    ${name}-program: ./x\n  checksum: ${version}\n  languageName: node\n  linkType: hard\n`,
  );
  return `# This file is generated\n\n__metadata:\n  version: 8\n  cacheKey: 10c0\n\n${[...members, root, ...packages].join('\n')}`;
}

const VERSIONS = { left: '1.0.0', right: '1.0.0', deep: '1.0.0' };
const manifestWith = (more: object): string =>
  JSON.stringify({
    name: 'monorepo',
    private: true,
    workspaces: ['packages/*'],
    devDependencies: { left: '*', right: '*', deep: '*' },
    ...more,
  });

let one: ObservedRepo;
beforeAll(() => {
  one = new ObservedRepo(cleanUp, {
    'tributary.json': '{ "affected": { "observed": "narrow" } }\n',
    'package.json': manifestWith({}),
    'yarn.lock': lockOf(VERSIONS),
    'data/alpha.json': '1\n',
    'data/deep/beta.json': '1\n',
    'shared.cfg': '1\n',
    'setup.sh': 'true\n',
    'named.js': '0;\n',
    'names.js': 'require("./named");\n',
    '.hidden.json': '1\n',
  });
});

/** Who is in the answer; `all` for one that names a reason for everybody. */
function selected({ all, workspaces }: AffectedResult): 'all' | readonly string[] {
  return all === null ? workspaces.map(({ name }) => name) : 'all';
}

/** What is said of `other` where its observation has this. */
async function ofOther(
  files: Readonly<Record<string, string | undefined>>,
  more: Parameters<ObservedRepo['observed']>[1] = {},
): Promise<string> {
  const result = await one.select(files, [one.observed('lib'), one.observed('other', more)]);
  const spared = result.spared?.find(({ name }) => name === 'other');
  const reason = result.workspaces.find(({ name }) => name === 'other')?.reasons[0];
  if (result.all !== null) return 'all';
  return spared !== undefined ? 'spared' : reason?.kind === 'shared' ? reason.because : (reason?.kind ?? 'neither');
}

const SHARED = { 'shared.cfg': '2\n' };
const INSTALLS = '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "node x" } }\n';
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

  test('but not who is selected by another reason', async () => {
    const result = await one.select(
      { ...SHARED, 'packages/lib/own.js': '1;\n' },
      ['app', 'lib', 'other', 'bare'].map((name) => one.observed(name)),
    );
    expect(selected(result)).toEqual(['monorepo', 'app', 'lib']);
    expect(result.spared?.map(({ name }) => name)).toEqual(['bare', 'other']);
  });
});

describe('who read it is selected', () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, Parameters<ObservedRepo['observed']>[1], string]>([
    ['nothing of it', { 'data/alpha.json': '2\n' }, {}, 'spared'],
    ['its content', { 'data/alpha.json': '2\n' }, { files: ['data/alpha.json'] }, 'read'],
    ['that it is there', { 'data/alpha.json': '2\n' }, { found: ['data/alpha.json'] }, 'data/alpha.json'],
    ['it by git or a package manager', SHARED, { apart: apart({ tools: ['shared.cfg'] }) }, 'shared.cfg'],
    ['that it is not there', { 'data/gamma.json': '1\n' }, { absent: ['data/gamma.json'] }, 'no data/gamma.json'],
    ['that a folder above it is not there', { 'fresh/deep/gamma.json': '1\n' }, { absent: ['fresh'] }, 'no fresh'],
    ['that something beside it is not there', { 'data/gamma.json': '1\n' }, { absent: ['data/other.json'] }, 'spared'],
    ['the list of its folder', { 'data/gamma.json': '1\n' }, { list: ['data'] }, 'list of data'],
    ['the list of its folder, which only a change leaves alone', { 'data/alpha.json': '2\n' }, { list: ['data'] }, 'spared'],
    ['the list of a folder above a new one', { 'fresh/deep/gamma.json': '1\n' }, { list: ['.'] }, 'list of .'],
    ['the list of a folder above a known one', { 'data/gamma.json': '1\n' }, { list: ['.'] }, 'spared'],
    ['the list of a folder above the last file of one', { 'data/deep/beta.json': undefined }, { list: ['data'] }, 'list of data'],
    ['a folder that is gone', { 'data/deep/beta.json': undefined }, { found: ['data/deep'] }, 'data/deep'],
    ['a file that is gone', { 'data/alpha.json': undefined }, { found: ['data/alpha.json'] }, 'data/alpha.json'],
    ['a list by a package manager', { 'data/gamma.json': '1\n' }, { apart: apart({ toolLists: ['data'] }) }, 'list of data'],
  ])('that read %s', async (_, files, more, expected) => expect(await ofOther(files, more)).toContain(expected));

  test('in a run before the last, too', async () => {
    const before = one.observed('other', { files: ['data/alpha.json'], found: ['data/alpha.json'] });
    const result = await one.select({ 'data/alpha.json': '2\n' }, [before, one.observed('other'), one.observed('lib')]);
    expect(result.spared?.map(({ name }) => name)).toEqual(['lib']);
  });
});

describe('what is no proof spares nobody', () => {
  test.each<[string, Partial<Observation>, string]>([
    ['is not complete', { complete: false, gaps: [{ gap: 'tracer-denied', detail: 'ptrace' }] }, 'not complete (tracer-denied: ptrace)'],
    ['failed', { exit: 1 }, 'failed'],
    ['is of another platform', { platform: { os: 'plan9', arch: 'x64' } }, 'another platform'],
    ['is of another version', { version: '99.0.0' }, 'affected 99.0.0'],
    ['is of another task', { task: 'lint' }, 'not observed'],
    ['is of one part', { part: [1, 2] }, 'one part'],
    ['is of a commit that nobody knows', { commit: 'f'.repeat(40) }, 'not in this clone'],
  ])('a run that %s', async (_, more, because) => expect(await ofOther(SHARED, more)).toContain(because));

  test('a complete run before one that is not', async () => {
    const broken = one.observed('other', { complete: false, gaps: [{ gap: 'daemon', detail: 'x' }] });
    const result = await one.select(SHARED, [one.observed('other'), broken, one.observed('lib')]);
    expect(result.spared?.map(({ name }) => name)).toEqual(['lib']);
  });

  test('a run at an older commit whose own inputs have changed since', async () => {
    const kept = ['lib', 'other'].map((name) => one.observed(name));
    one.change({ 'packages/other/own.js': '2;\n' });
    const base = one.repo.git('rev-parse', 'HEAD').trim();
    const result = await one.select(SHARED, kept, { base });
    expect(result.spared?.map(({ name }) => name)).toEqual(['lib']);
    expect(selected(result)).toContain('other');
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a file that something else names', { 'named.js': '1;\n' }],
    ['a hidden file', { '.hidden.json': '2\n' }],
    ['a setting of turborepo', { 'packages/other/turbo.json': '{}\n', ...SHARED }],
    ['attributes of git', { 'packages/lib/.gitattributes': '* text\n', ...SHARED }],
    ['a rule of the project', { 'tributary.json': '{}\n', ...SHARED }],
    ['a file whose folder a CI job names', { 'data/alpha.json': '2\n', 'ci.yml': 'run: cat data/*\n' }],
    ['a file that an installation may read', { 'packages/bare/package.json': INSTALLS, ...SHARED }],
    ['a setting in the manifest of the root', { 'package.json': manifestWith({ resolutions: { left: '2' } }), ...SHARED }],
  ])('after a change of %s', async (_, files) => {
    const result = await one.select(
      files,
      ['app', 'lib', 'other', 'bare'].map((name) => one.observed(name)),
    );
    expect([result.spared ?? [], selected(result)]).toEqual([[], 'all']);
  });
});

describe('a dependency of the root spares who uses nothing that may resolve differently', () => {
  const lock = (versions: Readonly<Record<string, string>>, deps?: Readonly<Record<string, string>>) => ({
    'yarn.lock': lockOf(versions, deps),
  });
  const uses = (...names: readonly string[]) => ({ packages: names.map((name) => ({ name, version: '1.0.0' })) });

  test.each<[string, Readonly<Record<string, string>>, Parameters<ObservedRepo['observed']>[1], string]>([
    ['another package', lock({ ...VERSIONS, left: '2.0.0' }), uses('right'), 'spared'],
    ['the package', lock({ ...VERSIONS, left: '2.0.0' }), uses('left'), 'package left'],
    ['what the package leads to now', lock({ ...VERSIONS, left: '2.0.0' }, { left: 'deep' }), uses('deep'), 'package deep'],
    ['a list of packages', lock({ ...VERSIONS, left: '2.0.0' }), { list: ['node_modules/@types'] }, 'list of node_modules/@types'],
    ['a program that was missing', lock({ ...VERSIONS, left: '2.0.0' }), { absent: ['node_modules/.bin/left-program'] }, 'left-program'],
    ['another program that was missing', lock({ ...VERSIONS, left: '2.0.0' }), { absent: ['node_modules/.bin/x'] }, 'spared'],
    ['the lockfile itself', lock({ ...VERSIONS, left: '2.0.0' }), { files: ['yarn.lock'] }, 'yarn.lock'],
    ['that one is not there', lock({ ...VERSIONS, fresh: '1.0.0' }), { packages: [{ name: 'fresh', version: null }] }, 'package fresh'],
  ])('that reads %s', async (_, files, more, expected) => {
    const manifest = 'fresh@' in files || files['yarn.lock']?.includes('"fresh@') === true ? { fresh: '*' } : {};
    const root = manifestWith({ devDependencies: { left: '*', right: '*', deep: '*', ...manifest } });
    expect(await ofOther({ ...files, 'package.json': root }, more)).toContain(expected);
  });

  test('not where the lockfile has another format', async () => {
    const other = lockOf({ ...VERSIONS, left: '2.0.0' }).replace('cacheKey: 10c0', 'cacheKey: 11');
    expect(await ofOther({ 'yarn.lock': other }, uses('right'))).toMatch(/all|cannot be compared/);
  });
});

function apart(more: Partial<Observation['apart']>): Observation['apart'] {
  return { written: [], ignored: [], caches: [], tools: [], toolLists: [], outside: [], ...more };
}
