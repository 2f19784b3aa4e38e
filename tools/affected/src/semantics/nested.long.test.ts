import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { AffectedResult } from '../result.js';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { type FileChange, MonorepoScene } from './scene.fixture.js';

// Unchanged files that get another owner: `lib` is a workspace around `inner`, on which `inner-user` depends.

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const INNER = 'packages/lib/inner';
/** Removes the manifest of `inner` and the dependency on it; its `src/index.js` stays. */
const DISSOLVED: Files = { [`${INNER}/package.json`]: null, ...manifestOf('packages/inner-user', { dependencies: {} }) };
const ALL_AROUND = [...LIB_AND_USERS, 'inner-user'].toSorted();

function reasonsOf({ workspaces }: AffectedResult, name: string): unknown {
  return workspaces.find((one) => one.name === name)?.reasons;
}

describe('the workspace around is affected where one inside of it', () => {
  test.each<[string, FileChange]>([
    ['is dissolved', { files: DISSOLVED }],
    ['is dissolved, and the lockfile is up to date', { files: DISSOLVED, lock: 'by Yarn' }],
    ['is none any more by the globs of the root', { files: { ...DISSOLVED, ...rootWith(['packages/*']), ...manifestOf(INNER, {}) } }],
    ['moves, and leaves files behind', { files: { ...DISSOLVED, ...manifestOf('packages/inner', { version: '2.0.0' }) } }],
  ])('%s', async (_, change) => {
    const result = await scene.resultOf(change);
    const names = result.workspaces.map(({ name }) => name).filter((name) => name !== 'inner');
    expect(names.toSorted()).toEqual(ALL_AROUND);
    expect(reasonsOf(result, 'lib')).toEqual([{ kind: 'nested', folder: INNER, became: 'dissolved' }]);
  });

  test.each<[string, FileChange]>([
    ['takes a folder of it', { files: manifestOf('packages/lib/part', {}) }],
    ['takes a folder of it, and the lockfile is up to date', { files: manifestOf('packages/lib/part', {}), lock: 'by Yarn' }],
  ])('%s', async (_, change) => {
    const result = await scene.resultOf({ before: { 'packages/lib/part/index.js': '' }, ...change });
    expect(result.workspaces.map(({ name }) => name).toSorted()).toEqual([...LIB_AND_USERS, 'part'].toSorted());
    expect(reasonsOf(result, 'lib')).toEqual([{ kind: 'nested', folder: 'packages/lib/part', became: 'new' }]);
  });

  test('is taken in by globs: its files were those of the one around', async () => {
    const before = { ...rootWith(['packages/*']), ...manifestOf('packages/inner-user', { dependencies: {} }) };
    const { workspaces } = await scene.resultOf({ before, files: manifestOf('', {}) });
    expect(workspaces.map(({ name }) => name).toSorted()).toEqual([...LIB_AND_USERS, 'inner'].toSorted());
  });
});

test('the root is affected where a workspace outside of all others is dissolved', async () => {
  const files = rootWith(['packages/*', '!packages/alone', 'packages/lib/*']);
  const result = await scene.resultOf({ files, lock: 'by Yarn' });
  expect(result.workspaces.map(({ name }) => name)).toContain('monorepo');
  expect(reasonsOf(result, 'monorepo')).toContainEqual({ kind: 'nested', folder: 'packages/alone', became: 'dissolved' });
});

describe('the workspace around is not affected where one inside of it', () => {
  test('goes with all of its files', async () => {
    const files = { ...DISSOLVED, [`${INNER}/src/index.js`]: null };
    expect(await scene.ask({ files })).toEqual(['inner-user']);
  });

  test('is new, and so is its folder', async () => {
    expect(await scene.ask({ files: { ...manifestOf('packages/lib/part', {}), 'packages/lib/part/index.js': '' } })).toEqual(['part']);
  });
});

describe('who reads the folder around a workspace reads the tests and documents inside', () => {
  const changes = ['README.md', 'test/helper.js'];
  const places = ['list.js', 'list.test.js', 'babel.config.js'];
  const ways = [
    "require.context('./', true);",
    'readdirSync(__dirname);',
    "readdirSync(new URL('.', import.meta.url));",
    "glob.sync('**/*.js', { cwd: __dirname });",
    "glob.sync(join(__dirname, '**/*.js'));",
    'readFileSync(join(__dirname, name));',
    `readFileSync(\`./\${name}/README.md\`);`,
    'readdirSync(path.dirname(fileURLToPath(import.meta.url)));',
  ];

  test.each(ways.map((text, at) => ({ text, place: places[at % 3], changed: changes[at % 2] })))(
    '$text in $place: $changed',
    async ({ text, place, changed }) => {
      const before = { [`packages/lib/${place}`]: `${text}\n`, [`${INNER}/${changed}`]: 'before\n' };
      expect(await scene.ask({ before, files: { [`${INNER}/${changed}`]: 'after\n' } })).toContain('lib');
    },
  );
});

describe('a workspace that only the globs of another workspace match, and that the lockfile does not have yet', () => {
  const unlisted: Files = {
    ...manifestOf('packages/alone', { workspaces: ['sub/*'] }),
    ...manifestOf('packages/alone/sub/new', {}),
    'packages/alone/sub/new/src/index.js': '',
    'packages/alone/sub/notes.txt': '',
    ...manifestOf('packages/tool', { dependencies: { new: '1.0.0' } }),
  };

  test.each<[string, readonly string[], readonly string[]]>([
    ['is seen, and so is who depends on it', ['packages/alone/sub/new/src/index.js'], ['monorepo', 'new', 'tool']],
    ['is seen by a file deep in it', ['packages/alone/sub/new/a/b/c/d.js'], ['monorepo', 'new', 'tool']],
    ['does not get the files beside it', ['packages/alone/sub/notes.txt'], ['alone']],
  ])('%s', async (_, changed, affected) => {
    const files = Object.fromEntries(changed.map((path) => [path, 'changed\n']));
    expect(await scene.ask({ before: unlisted, files })).toEqual(affected);
  });

  test('is seen below one that is not in the lockfile either', async () => {
    const before = {
      ...unlisted,
      ...manifestOf('packages/alone/sub/new', { workspaces: ['deep'] }),
      ...manifestOf('packages/alone/sub/new/deep', { name: 'deeper' }),
    };
    expect(await scene.ask({ before, files: { 'packages/alone/sub/new/deep/x.js': '' } })).toEqual(['deeper']);
  });

  test('is seen in a workspace inside of the one with the globs', async () => {
    const before = { ...manifestOf('packages/lib', { workspaces: ['inner/*'] }), ...manifestOf('packages/lib/inner/core', {}) };
    expect(await scene.ask({ before, files: { 'packages/lib/inner/core/x.js': '' } })).toEqual(['core']);
  });
});

function rootWith(workspaces: readonly string[]): Files {
  return manifestOf('', { workspaces });
}
