import { describe, expect, test } from '@jest/globals';
import type { Plan } from '../plan/plan.js';
import { github } from './github.js';
import { planOf, sameTime } from './plan.fixture.js';
import { A, B, branch, C, type ChangeRow, commit, read, unknown, ZERO } from './read-change.fixture.js';
import type { CiVariables } from './variables.js';

describe('GitHub Actions', () => {
  const always = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SHA: A,
    GITHUB_REPOSITORY: 'acme/app.js',
    GITHUB_API_URL: 'https://github.example/api/v3',
    GITHUB_EVENT_PATH: '/event.json',
  };
  const onPullRequest = { ...always, GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/42/merge', GITHUB_BASE_REF: 'main' };
  const onPush = {
    ...always,
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_WORKFLOW_REF: 'acme/app.js/.github/workflows/ci.yml@refs/heads/main',
  };
  const pushed = { ref: 'refs/heads/main', before: B, after: A, forced: false };

  test('a pull request is compared with the first parent of its merge, and its event is not even read', () => {
    expect(read(onPullRequest)).toEqual({
      engine: 'github',
      event: 'pull request',
      base: { kind: 'merge ref', mergeCommit: A, branch: 'main' },
      head: A,
      pullRequest: 42,
      repository: { apiUrl: 'https://github.example/api/v3', owner: 'acme', repo: 'app.js' },
    });
  });

  test.each<ChangeRow>([
    ['a target with slashes', { GITHUB_BASE_REF: 'release/1.x' }, { kind: 'merge ref', mergeCommit: A, branch: 'release/1.x' }],
    ['one that is merged: HEAD is a commit of the target branch', { GITHUB_REF: 'refs/heads/main' }, branch('main', 'GITHUB_BASE_REF')],
    ['a commit that is none', { GITHUB_SHA: 'HEAD' }, branch('main', 'GITHUB_BASE_REF')],
    ['no target', { GITHUB_BASE_REF: '' }, unknown('GITHUB_BASE_REF is not set')],
    ['a target that is an option', { GITHUB_BASE_REF: '--upload-pack=x' }, unknown('GITHUB_BASE_REF is not a branch name')],
  ])('pull request: %s', (_, more, base) => {
    expect(read({ ...onPullRequest, ...more })).toMatchObject({ event: 'pull request', base });
  });

  describe('pull_request_target', () => {
    const variables = { ...always, GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_REF: 'refs/heads/main', GITHUB_BASE_REF: 'main' };
    const event = { pull_request: { number: 42, head: { sha: C }, base: { ref: 'next', sha: B } } };

    test('the head is that of the pull request, never what is checked out, and the frozen base is not used', () => {
      expect(read(variables, event)).toMatchObject({
        event: 'pull request',
        base: branch('next', 'event.pull_request.base.ref'),
        head: C,
        pullRequest: 42,
      });
    });

    test('without a head nothing is known', () => {
      const { base } = event.pull_request;
      expect(read(variables, { pull_request: { base } })).toMatchObject({ base: unknown('head.sha'), head: null, pullRequest: null });
    });
  });

  test.each<[string, unknown, unknown]>([
    ['the base of the event', { merge_group: { base_sha: B, head_sha: A } }, commit(B, 'event.merge_group.base_sha')],
    ['no base', { merge_group: {} }, unknown('base_sha is no commit')],
    ['a base of zeros', { merge_group: { base_sha: ZERO } }, unknown('base_sha is no commit')],
  ])('merge queue: %s', (_, event, base) => {
    expect(read({ ...always, GITHUB_EVENT_NAME: 'merge_group' }, event)).toMatchObject({ event: 'merge queue', base, head: A });
  });

  const push = { kind: 'push', branch: 'main', before: B, forced: 'no', source: 'event.before', workflow: 'ci.yml' };
  test.each<readonly [string, CiVariables, unknown, unknown]>([
    ['what was there before', {}, pushed, push],
    ['a forced one', {}, { ...pushed, forced: true }, { ...push, forced: 'yes' }],
    ['one that does not say whether it was forced', {}, { before: B }, { ...push, forced: 'unknown' }],
    ['the first of a branch', {}, { ...pushed, before: ZERO }, { ...push, before: null }],
    ['a before that is an option', {}, { ...pushed, before: '--output=x' }, { ...push, before: null }],
    ['a before that is a list', {}, { ...pushed, before: [B] }, { ...push, before: null }],
    ['an odd branch', { GITHUB_REF: 'refs/heads/a#b/ü' }, pushed, { ...push, branch: 'a#b/ü' }],
    ['a tag', { GITHUB_REF: 'refs/tags/v1' }, pushed, unknown('tag')],
    ['no ref', { GITHUB_REF: '' }, pushed, unknown('GITHUB_REF')],
    [
      'the workflow of a branch with a path in it',
      { GITHUB_WORKFLOW_REF: 'acme/app.js/.github/workflows/ci.yml@refs/heads/x/.github/workflows/y@z' },
      pushed,
      push,
    ],
    [
      'the workflow of another repository',
      { GITHUB_WORKFLOW_REF: 'acme/other/.github/workflows/ci.yml@refs/heads/main' },
      pushed,
      { ...push, workflow: null },
    ],
    [
      'a workflow that would lead elsewhere',
      { GITHUB_WORKFLOW_REF: 'acme/app.js/.github/workflows/..@refs/heads/main' },
      pushed,
      { ...push, workflow: null },
    ],
    ['no workflow', { GITHUB_WORKFLOW_REF: '' }, pushed, { ...push, workflow: null }],
  ])('push: %s', (_, more, event, base) => {
    expect(read({ ...onPush, ...more }, event)).toMatchObject({ event: 'push', base, head: A });
  });

  test.each(['workflow_dispatch', 'schedule', 'release', 'workflow_run', 'issue_comment', 'repository_dispatch'])(
    '%s has no base',
    (name) => {
      expect(read({ ...always, GITHUB_EVENT_NAME: name }, {})).toMatchObject({
        event: 'other',
        base: unknown(`started by ${name}`),
        head: A,
      });
    },
  );

  test.each(['', '::error::x', 'a\nb', 'constructor', '__proto__'])('an event by the name of %j', (name) => {
    const change = read({ ...always, GITHUB_EVENT_NAME: name }, {});
    expect(change).toMatchObject({ event: 'other', base: { kind: 'unknown' } });
    expect(JSON.stringify(change?.base)).not.toContain('::error');
  });

  describe.each(['push', 'merge_group', 'pull_request_target'])('a broken event of %s', (name) => {
    const variables = { ...onPush, GITHUB_EVENT_NAME: name };

    test.each<[string, CiVariables, unknown, string]>([
      ['no path', { ...variables, GITHUB_EVENT_PATH: '' }, {}, 'GITHUB_EVENT_PATH is not set'],
      ['no file', variables, undefined, 'cannot be read'],
      ['an empty file', variables, '', 'is not a JSON object'],
      ['half a file', variables, '{"before": "aaaa', 'is not a JSON object'],
      ['a list', variables, '[]', 'is not a JSON object'],
      ['null', variables, 'null', 'is not a JSON object'],
      ['a text', variables, '"x"', 'is not a JSON object'],
    ])('%s', (_, all, event, reason) => {
      expect(read(all, event)).toMatchObject({ engine: 'github', base: unknown(reason) });
    });

    test.each([
      '{}',
      '{"merge_group": null, "pull_request": 7}',
      '{"__proto__": {"before": "x"}}',
      '{"pull_request": {"head": [], "base": "x"}}',
    ])('%s', (event) => {
      const base = read(variables, event)?.base;
      expect(base).toMatchObject(name === 'push' ? { kind: 'push', before: null, forced: 'unknown' } : { kind: 'unknown' });
    });
  });

  test.each([
    ['acme/app', 'acme', 'app'],
    ['acme_corp/.github', 'acme_corp', '.github'],
  ])('the repository %s', (GITHUB_REPOSITORY, owner, repo) => {
    const { GITHUB_API_URL: _, ...rest } = onPullRequest;
    expect(read({ ...rest, GITHUB_REPOSITORY })?.repository).toEqual({ apiUrl: 'https://api.github.com', owner, repo });
  });

  test.each(['', 'acme', 'acme/..', '../app', 'acme/app/x', 'acme/a b', 'acme/app\n', '-x/app'])(
    'no repository: %j',
    (GITHUB_REPOSITORY) => {
      expect(read({ ...onPullRequest, GITHUB_REPOSITORY })?.repository).toBeNull();
    },
  );
});

/** Reads outputs as GitHub does: each line is a name, an equals sign and a value. */
function outputsOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split('\n').flatMap((line) => (line === '' ? [] : [splitLine(line)])));
}

function splitLine(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

interface MatrixRow {
  readonly leg: string;
  readonly shards: string;
}

function rowsOf(plan: Plan): readonly MatrixRow[] {
  return JSON.parse(outputsOf(github.emit(plan))['matrix'] ?? '').include;
}

test('an empty plan has no work and an empty list', () => {
  expect(github.emit(planOf([]))).toBe('has_work=false\nmatrix={"include":[]}\n');
});

test('one shard is one leg', () => {
  expect(github.emit(planOf([10]))).toBe(`has_work=true\nmatrix={"include":[{"leg":"01","shards":"01"}]}\n`);
});

test('the longest leg stands first', () => {
  expect(rowsOf(planOf([10, 30, 20])).map(({ leg }) => leg)).toEqual(['02', '03', '01']);
});

test('no name of a package is handed on', () => {
  expect(github.emit(sameTime(7))).not.toContain('acme');
});

describe.each([1, 7, 255, 256])('%i shards', (count) => {
  test('have a leg each', () => {
    const rows = rowsOf(sameTime(count));
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ leg, shards }) => leg !== shards)).toEqual([]);
  });
});

describe.each([257, 300, 513, 5_000])('%i shards, which GitHub would refuse', (count) => {
  const text = github.emit(sameTime(count));
  const rows = rowsOf(sameTime(count));

  test('are put together in 256 legs', () => expect(rows).toHaveLength(256));

  test('all are there once', () => {
    const ids = rows.flatMap(({ shards }) => shards.split(' '));
    expect(ids.sort()).toEqual(
      sameTime(count)
        .shards.map(({ id }) => id)
        .sort(),
    );
  });

  test('are below the 1 MB of UTF-16 that a job may hand on', () => expect(Buffer.byteLength(text, 'utf16le')).toBeLessThan(1_000_000));

  test('are two lines of plain characters, so that nothing ends a value early', () => {
    expect(text).toMatch(/^has_work=true\nmatrix=\{[\w",:[\]{} ]*\}\n$/);
  });
});
