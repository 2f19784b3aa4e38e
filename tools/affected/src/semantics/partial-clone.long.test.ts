import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { clonePartially, type PartialClone } from '@tributary/test-repo/partial-clone';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { AffectedResult } from '../result.js';
import { manifestOf } from './monorepo.fixture.js';
import { answerOf, askTool, failureOf, MonorepoScene, readResult } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

/** `alone` reads `tool` without declaring it, and has a link and sources enough to tell one request from many. */
const BEFORE: Files = {
  'packages/alone/a.test.js': "import 'tool';\n",
  'packages/alone/b.test.js': 'old b\n',
  'packages/alone/link': { symlink: '../tool/index.js' },
  'packages/tool/index.js': 'old\n',
  'packages/tool/other.js': 'old other\n',
};
const CHANGE: Files = {
  'packages/tool/index.js': 'new\n',
  'packages/tool/other.js': 'new other\n',
  'packages/tool/another.js': 'new another\n',
};

async function cloneOf(files: Files, ...options: string[]): Promise<PartialClone> {
  const source = await scene.changed({ before: BEFORE, files });
  const made = clonePartially(source, cleanUp.add(new TempFolder()), ...options);
  cleanUp.add(made.clone);
  return made;
}

async function resultIn({ clone }: PartialClone, ...args: string[]): Promise<AffectedResult> {
  return readResult(await askTool(clone, ['--base', 'HEAD~1', ...args]));
}

const WARNING = /^\d+ files? (?:is|are) missing in this clone, so what (?:it refers|they refer) to is unknown: .*\. Allow fetching, or /;

describe('a partial clone with a checkout of the head', () => {
  test('gets the old texts of all changed sources in one request', async () => {
    const made = await cloneOf(CHANGE);
    const result = await resultIn(made);
    expect([answerOf(result), result.warnings]).toEqual([['alone', 'monorepo', 'tool'], []]);
    expect(made.requests()).toBe(1);
    await resultIn(made);
    expect(made.requests()).toBe(1);
  });

  // Such a team would get everything for each change, if the old texts of changed files counted.
  test.each<[title: string, options: readonly string[]]>([
    ['--no-fetch', []],
    ['--no-fetch and the working tree', ['--uncommitted']],
  ])('has the same answer with %s, and names what is missing', async (_, options) => {
    const made = await cloneOf(CHANGE);
    const result = await resultIn(made, '--no-fetch', ...options);
    expect(answerOf(result)).toEqual(['alone', 'monorepo', 'tool']);
    expect(result.warnings).toEqual([expect.stringMatching(WARNING)]);
    expect(result.warnings[0]).toContain('2 files are missing in this clone');
    expect(result.warnings[0]).toContain('packages/tool/index.js, packages/tool/other.js');
    expect(made.requests()).toBe(0);
  });

  test('loses nobody with --no-fetch where the change takes an undeclared import away', async () => {
    const made = await cloneOf({ ...CHANGE, 'packages/alone/a.test.js': '\n' });
    expect(answerOf(await resultIn(made, '--no-fetch'))).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('is whole enough for `check`', async () => {
    const made = await cloneOf(CHANGE);
    const { stdout } = await askTool(made.clone, ['check']);
    expect((JSON.parse(stdout) as { warnings: unknown }).warnings).toEqual([]);
    expect(made.requests()).toBe(0);
  });

  test('also in a list of files, an old text that somebody left out of the list counts', async () => {
    const made = await cloneOf(CHANGE);
    made.clone.write({ '.git/list': 'packages/tool/index.js\n' });
    const { all } = await resultIn(made, '--no-fetch', '--files-from', '.git/list');
    expect(all).toMatchObject({ code: 'SOURCES_MISSING', subject: 'packages/tool/other.js' });
  });
});

describe('a partial clone without the sources of the head', () => {
  const other = ['--head', 'origin/main', '--base', 'origin/main~1'];

  /** A checkout of the base, which has all manifests. */
  async function behind(files = CHANGE): Promise<PartialClone> {
    const made = await cloneOf(files, '--no-checkout');
    made.clone.git('checkout', '-q', 'HEAD~1');
    return {
      clone: made.clone,
      requests: (
        (before) => () =>
          made.requests() - before
      )(made.requests()),
    };
  }

  test('gets them in one request', async () => {
    const made = await behind();
    const result = await resultIn(made, ...other);
    expect([answerOf(result), result.warnings]).toEqual([['alone', 'monorepo', 'tool'], []]);
    expect(made.requests()).toBe(1);
  });

  test('affects everybody with --no-fetch, and what is fetched later counts', async () => {
    const made = await behind();
    const result = await resultIn(made, '--no-fetch', ...other);
    const files = 'packages/tool/another.js, packages/tool/index.js, packages/tool/other.js';
    expect(result.all).toEqual({
      code: 'SOURCES_MISSING',
      reason: `Sources are missing in this clone, and may refer to any workspace: ${files}.`,
      subject: 'packages/tool/another.js',
    });
    expect(result.warnings).toEqual([expect.stringMatching(WARNING)]);
    expect(made.requests()).toBe(0);
    expect(answerOf(await resultIn(made, ...other))).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('affects everybody with --no-fetch where one is a symbolic link', async () => {
    const made = await behind({ 'packages/alone/link': { symlink: '../lib' } });
    expect((await resultIn(made, '--no-fetch', ...other)).all).toMatchObject({ code: 'SOURCES_MISSING', subject: 'packages/alone/link' });
    expect(answerOf(await resultIn(made, ...other))).toEqual(['alone']);
    expect(made.requests()).toBe(1);
  });

  test('affects everybody where the remote cannot be reached', async () => {
    const made = await behind();
    made.clone.git('config', 'remote.origin.url', '/nowhere');
    const result = await resultIn(made, ...other);
    expect([answerOf(result), result.warnings]).toEqual(['all: SOURCES_MISSING', [expect.stringMatching(WARNING)]]);
  });

  test('`check` names them, and ends', async () => {
    const made = await behind();
    made.clone.git('config', 'remote.origin.url', '/nowhere');
    const { stdout } = await askTool(made.clone, ['check', '--head', 'origin/main']);
    expect((JSON.parse(stdout) as { warnings: unknown }).warnings).toEqual([expect.stringMatching(WARNING)]);
  });
});

describe('a sparse partial clone', () => {
  test('gets the sources outside of its folders', async () => {
    const made = await cloneOf(CHANGE, '--sparse');
    const result = await resultIn(made);
    expect([answerOf(result), result.warnings]).toEqual([['alone', 'monorepo', 'tool'], []]);
    // A manifest, and the sources of each commit.
    expect(made.requests()).toBe(3);
  });

  test('is not read where nothing changed', async () => {
    const { clone, requests } = await cloneOf(CHANGE, '--sparse');
    const result = readResult(await askTool(clone, ['--base', 'HEAD']));
    expect([answerOf(result), requests()]).toEqual([[], 0]);
  });

  test('affects everybody with --no-fetch, because manifests are missing', async () => {
    const made = await cloneOf(CHANGE, '--sparse');
    const { all, workspaces } = await resultIn(made, '--no-fetch');
    expect(all).toMatchObject({ code: 'SOURCES_MISSING', subject: expect.stringMatching(/package\.json$/) });
    expect(workspaces.map(({ name }) => name)).toEqual(expect.arrayContaining(['alone', 'lib', 'monorepo', 'tool']));
    expect(made.requests()).toBe(0);
  });

  test('has no answer with --no-fetch where the lockfile may lack a workspace', async () => {
    const made = await cloneOf(manifestOf('packages/newest', { name: 'newest' }), '--sparse');
    expect(failureOf(await askTool(made.clone, ['--base', 'HEAD~1', '--no-fetch']))).toEqual({ exit: 1, code: 'GIT_FAILED' });
  });
});

describe('a partial clone without any file', () => {
  const changes: Files = {
    ...manifestOf('packages/alone', { name: 'alone', version: '2.0.0' }),
    ...manifestOf('packages/tool', { name: 'tool', version: '2.0.0' }),
    'packages/tool/index.js': 'new\n',
  };

  // For each commit the manifests with the files of the root, and the sources.
  test.each<[title: string, files: Files, requests: number]>([
    ['manifests', changes, 4],
    ['the lockfile', { 'yarn.lock': null }, 4],
    ['settings', { '.yarnrc.yml': 'nodeLinker: node-modules\n', 'turbo.json': '{}' }, 4],
    ['a workflow', { '.github/workflows/ci.yml': 'on: push\n' }, 4],
    ['a source', CHANGE, 3],
  ])('gets each kind of files in one request where the change is of %s', async (_, files, requests) => {
    const made = await cloneOf(files, '--no-checkout');
    const whole = answerOf(await resultIn({ ...made, clone: await scene.changed({ before: BEFORE, files }) }));
    expect(answerOf(await resultIn(made))).toEqual(whole);
    expect(made.requests()).toBeLessThanOrEqual(requests);
  });

  test('has no answer with --no-fetch: not even the manifest of the root is there', async () => {
    const made = await cloneOf(CHANGE, '--no-checkout');
    expect(failureOf(await askTool(made.clone, ['--base', 'HEAD~1', '--no-fetch']))).toEqual({ exit: 1, code: 'GIT_FAILED' });
  });
});

describe('a partial clone whose change is of manifests', () => {
  test.each<[title: string, files: Files, code: string]>([
    ['the manifest of a workspace', manifestOf('packages/tool', { name: 'tool', version: '2.0.0' }), 'SOURCES_MISSING'],
    ['the manifest of the root', manifestOf('', { version: '2.0.0' }), 'SOURCES_MISSING'],
    ['the rules', { 'tributary.json': '{ "affected": { "always": ["tool"] } }' }, 'CONFIG_CHANGED'],
  ])('gets the old ones in one request; with --no-fetch it affects everybody: %s', async (_, files, code) => {
    const before = { ...BEFORE, 'tributary.json': '{}' };
    const source = await scene.changed({ before, files });
    const made = clonePartially(source, cleanUp.add(new TempFolder()));
    cleanUp.add(made.clone);
    expect((await resultIn(made, '--no-fetch')).all?.code).toBe(code);
    expect(made.requests()).toBe(0);
    expect(answerOf(await resultIn(made))).toEqual(answerOf(await resultIn({ ...made, clone: source })));
    expect(made.requests()).toBeLessThanOrEqual(2);
  });
});
