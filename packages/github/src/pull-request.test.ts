import { afterEach, describe, expect, test } from '@jest/globals';
import type { Forge, PullRequestFiles } from '@tributary/model/forge';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { openGitHub } from './open-github.js';
import { type HttpAnswer, type LocalGitHub, pageOf, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const repository = { owner: 'acme', repo: 'app' };
const [BASE, HEAD, MERGE, NEWER, NEWEST] = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
  string,
];

interface Entry {
  readonly filename: string;
  readonly status: string;
  readonly previous_filename?: string;
  readonly patch?: string;
}

interface Scene {
  readonly entries: readonly unknown[];
  /** The pull request at each look; the last one repeats. */
  readonly looks?: readonly Readonly<Record<string, unknown>>[];
  readonly files?: (url: URL) => HttpAnswer;
}

function pull(entries: readonly unknown[]): Readonly<Record<string, unknown>> {
  return { number: 7, base: { sha: BASE, ref: 'main' }, head: { sha: HEAD }, merge_commit_sha: MERGE, changed_files: entries.length };
}

async function start(scene: Scene): Promise<{ server: LocalGitHub; forge: Forge }> {
  const looks = [...(scene.looks ?? [pull(scene.entries)])];
  const server = cleanUp.add(
    await startGitHub((url) => {
      if (url.pathname === '/api/v3/repos/acme/app/pulls/7') return { body: looks.length > 1 ? looks.shift() : looks[0] };
      if (url.pathname === '/api/v3/repos/acme/app/pulls/7/files') return scene.files?.(url) ?? pageOf(scene.entries, url);
      return refusal(404, 'Not Found');
    }),
  );
  return { server, forge: openGitHub({ ...repository, apiUrl: server.apiUrl, token: 'ghs_x', secondMs: 5, timeLimitMs: 20_000 }) };
}

async function read(scene: Scene): Promise<PullRequestFiles> {
  return (await start(scene)).forge.readPullRequestFiles(7);
}

const file = (filename: string, status = 'modified'): Entry => ({ filename, status });
const many = (count: number): Entry[] => Array.from({ length: count }, (_, index) => file(`f/${String(index).padStart(5, '0')}`));
const brief = ({ files }: PullRequestFiles): string[] =>
  files.map(({ path, status, kind }) => `${status} ${path}${kind === 'file' ? '' : ` (${kind})`}`);

test('one page: files, commits and the branch', async () => {
  await expect(read({ entries: [file('packages/b/x.ts', 'added'), file('packages/a/y.ts', 'removed'), file('z')] })).resolves.toEqual({
    files: [
      { path: 'packages/a/y.ts', status: 'deleted', kind: 'file' },
      { path: 'packages/b/x.ts', status: 'added', kind: 'file' },
      { path: 'z', status: 'modified', kind: 'file' },
    ],
    base: BASE,
    baseRef: 'main',
    head: HEAD,
    mergeCommit: MERGE,
    completeness: { kind: 'complete' },
  });
});

test('pages of 100 are read to the end', async () => {
  const { server, forge } = await start({ entries: many(250) });
  const result = await forge.readPullRequestFiles(7);
  expect(result.files).toHaveLength(250);
  expect(result.completeness).toEqual({ kind: 'complete' });
  const query = (page: number): string => `GET /repos/acme/app/pulls/7/files?per_page=100&page=${page}`;
  expect(server.requests).toEqual(['GET /repos/acme/app/pulls/7', query(1), query(2), query(3), 'GET /repos/acme/app/pulls/7']);
});

test.each([
  ['3,000 files are all there', 3000, { kind: 'complete' }],
  [
    'of 3,001 one is missing',
    3001,
    { kind: 'incomplete', reason: 'GitHub lists 3000 files of the 3001 in the pull request; it never lists more than 3000' },
  ],
])('%s', async (_, count, completeness) => {
  const result = await read({ entries: many(count) });
  expect(result.files).toHaveLength(3000);
  expect(result.completeness).toEqual(completeness);
});

test('nothing changed', async () => {
  const result = await read({ entries: [] });
  expect(result).toMatchObject({ files: [], completeness: { kind: 'complete' } });
});

describe('each status', () => {
  test.each<[string, Entry[], string[]]>([
    ['a rename is two names', [{ filename: 'b/x', status: 'renamed', previous_filename: 'a/x' }], ['deleted a/x', 'added b/x']],
    ['of a copy the source is unchanged', [{ filename: 'b/x', status: 'copied', previous_filename: 'a/x' }], ['added b/x']],
    ['a copy without its source', [file('b/x', 'copied')], ['added b/x']],
    ['a mode', [file('run.sh', 'changed')], ['modified run.sh']],
    ['"unchanged" is in the list, so it counts', [file('x', 'unchanged')], ['modified x']],
    [
      'what is not known yet counts with both names',
      [{ filename: 'b', status: 'moved', previous_filename: 'a' }],
      ['deleted a', 'modified b'],
    ],
    [
      'two files that change places',
      [
        { filename: 'a', status: 'renamed', previous_filename: 'b' },
        { filename: 'b', status: 'renamed', previous_filename: 'a' },
      ],
      ['modified a', 'modified b'],
    ],
    [
      'a submodule',
      [{ ...file('vendor/lib'), patch: `@@ -1 +1 @@\n-Subproject commit ${BASE}\n+Subproject commit ${HEAD}` }],
      ['modified vendor/lib (submodule)'],
    ],
    ['a text about one', [{ ...file('notes'), patch: `@@ -1 +1,2 @@\n old\n+Subproject commit ${HEAD}` }], ['modified notes']],
    ['odd names', [file('-x'), file('a b\n"c"'), file('ünï/…')], ['modified -x', 'modified a b\n"c"', 'modified ünï/…']],
    [
      'the order is that of bytes',
      [file('\u{1f600}'), file('\uff5e'), file('a/b'), file('a-b')],
      ['modified a-b', 'modified a/b', 'modified \uff5e', 'modified \u{1f600}'],
    ],
  ])('%s', async (_, entries, expected) => {
    const result = await read({ entries });
    expect(brief(result)).toEqual(expected);
    expect(result.completeness).toEqual({ kind: 'complete' });
  });
});

describe('incomplete', () => {
  test.each<[string, unknown[]]>([
    ['a rename without its old name', [file('x', 'renamed')]],
    ['a name that is not UTF-8', [file('packages/caf\ufffd/x')]],
    ['an old name that is not UTF-8', [{ filename: 'x', status: 'renamed', previous_filename: '\ufffd' }]],
    ['no name', [{ status: 'added' }]],
    ['no entry', [null]],
  ])('%s', async (_, entries) => {
    const result = await read({ entries: [...entries, file('fine')] });
    expect(brief(result)).toEqual(['modified fine']);
    expect(result.completeness).toMatchObject({ kind: 'incomplete', reason: expect.stringContaining('name') });
  });

  test.each([2, 0])('a list that is not as long as the pull request says: %d', async (changed_files) => {
    const entries = [file('x')];
    const { completeness } = await read({ entries, looks: [{ ...pull(entries), changed_files }] });
    expect(completeness).toEqual({
      kind: 'incomplete',
      reason: `GitHub lists 1 files of the ${changed_files} in the pull request`,
    });
  });

  test('pages that never end', async () => {
    const files = (url: URL): HttpAnswer => ({ headers: { link: `<${url.href}>; rel="next"` }, body: many(100) });
    const { server, forge } = await start({ entries: many(100), files });
    const { completeness } = await forge.readPullRequestFiles(7);
    expect(completeness.kind).toBe('incomplete');
    expect(server.requests.length).toBeLessThan(40);
  });
});

describe('a push while the files are read', () => {
  const entries = [file('x')];
  const at = (sha: string): Readonly<Record<string, unknown>> => ({ ...pull(entries), head: { sha } });

  test('makes it read them once more', async () => {
    const result = await read({ entries, looks: [at(HEAD), at(NEWER)] });
    expect(result).toMatchObject({ head: NEWER, completeness: { kind: 'complete' } });
  });

  test('twice makes the list incomplete and empty', async () => {
    const result = await read({ entries, looks: [at(HEAD), at(NEWER), at(NEWER), at(NEWEST)] });
    expect(result).toMatchObject({
      files: [],
      head: NEWEST,
      completeness: { kind: 'incomplete', reason: expect.stringContaining('pushed') },
    });
  });

  test('another base branch is like a push', async () => {
    const result = await read({ entries, looks: [at(HEAD), { ...at(HEAD), base: { sha: MERGE, ref: 'release' } }] });
    expect(result).toMatchObject({ base: MERGE, baseRef: 'release', completeness: { kind: 'complete' } });
  });
});

test('a pull request that cannot be merged has no merge commit', async () => {
  const entries = [file('x')];
  await expect(read({ entries, looks: [{ ...pull(entries), merge_commit_sha: null }] })).resolves.toMatchObject({ mergeCommit: null });
});

describe('failures', () => {
  test('no such pull request, or a token that may not look', async () => {
    const { forge } = await start({ entries: [] });
    await expect(forge.readPullRequestFiles(8)).rejects.toMatchObject({
      code: 'GITHUB_REFUSED',
      message: 'GitHub did not show pull request 8 of acme/app: 404, Not Found - https://docs.github.com/rest',
      hint: expect.stringContaining('pull-requests: read'),
    });
  });

  test.each<[string, HttpAnswer]>([
    ['a page of a proxy', { body: '<html>Please log in</html>' }],
    ['an object', { body: { message: 'hello' } }],
    ['nothing', { body: null }],
  ])('%s is no list of files', async (_, answer) => {
    await expect(read({ entries: [file('x')], files: () => answer })).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  });

  test('409 is not the end of a list', async () => {
    await expect(read({ entries: [], files: () => refusal(409, 'Conflict') })).rejects.toMatchObject({ code: 'GITHUB_REFUSED' });
  });

  test.each([
    [null],
    ['<html>'],
    [[]],
    [{}],
    [{ ...pull([]), head: { sha: '--upload-pack=x' } }],
    [{ ...pull([]), base: null }],
    [{ ...pull([]), merge_commit_sha: 'x' }],
  ])('%j is no pull request', async (look) => {
    const server = cleanUp.add(await startGitHub(() => ({ body: look })));
    const forge = openGitHub({ ...repository, apiUrl: server.apiUrl, token: undefined });
    await expect(forge.readPullRequestFiles(7)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  });

  test('a gateway that fails once does no harm, a second page included', async () => {
    const entries = many(150);
    let failed = false;
    const files = (url: URL): HttpAnswer => {
      if (url.searchParams.get('page') !== '2' || failed) return pageOf(entries, url);
      failed = true;
      return { status: 502, body: 'Bad Gateway' };
    };
    const result = await read({ entries, files });
    expect(result.files).toHaveLength(150);
    expect(result.completeness).toEqual({ kind: 'complete' });
  });

  test.each([0, -1, 1.5, Number.NaN])('%d is no number of a pull request', async (number) => {
    const { server, forge } = await start({ entries: [] });
    await expect(forge.readPullRequestFiles(number)).rejects.toMatchObject({ code: 'USAGE' });
    expect(server.requests).toEqual([]);
  });
});
