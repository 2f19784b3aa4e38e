import { describe, expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { PullRequest } from '@tributary/model/pull-request-host';
import { retellPullRequest } from './pull-request-text.js';
import { isUntouched, readMarker, renewMarker } from './text-marker.js';

const ID = 'c42587ec8eded87dba870c820e04db4564c5a620';
const context = {
  repository: 'acme/left-pad',
  owner: 'globex',
  name: 'left-pad',
  tip: '7b16e510',
  newId: (quoted: string) => (ID.startsWith(quoted) ? 'f'.repeat(quoted.length) : undefined),
};

function request(given: Partial<PullRequest> = {}): PullRequest {
  return {
    number: 7,
    url: 'https://github.com/acme/left-pad/pull/7',
    state: 'open',
    draft: false,
    title: 'Pad faster',
    body: 'It is faster.',
    author: 'ada',
    createdAt: '2026-01-02T03:04:05Z',
    base: 'main',
    head: { branch: 'faster', commit: ID as CommitId, repository: undefined },
    ...given,
  };
}

const textOf = (body: string): string => retellPullRequest(request({ body }), context).body.split('\n').slice(3).join('\n');

test('it tells who opened it and where, and its first line is the marker', () => {
  const { title, body } = retellPullRequest(request(), context);
  expect(title).toBe('Pad faster');
  expect(body.split('\n')).toEqual([
    expect.stringMatching(/^<!-- migrate-repo pull-requests: https:\/\/github.com\/acme\/left-pad\/pull\/7 7b16e510 [0-9a-f]{16} -->$/),
    '_Opened by [ada](https://github.com/ada) on 2026-01-02 as https://github.com/acme/left-pad/pull/7, before left-pad moved here._',
    '',
    'It is faster.',
  ]);
});

test.each<[author: string | undefined, told: string]>([
  ['dependabot[bot]', '`dependabot[bot]`'],
  ['a`b@c', '`ab@c`'],
  [undefined, 'a deleted account'],
])('who opened it, where no link can be made of %s', (author, told) => {
  expect(retellPullRequest(request({ author, body: '' }), context).body).toContain(`\n_Opened by ${told} on 2026-01-02`);
});

describe('nobody is notified, nothing is closed, and references lead to the source', () => {
  test.each<[before: string, after: string]>([
    ['Thanks @bob and \\@eve', 'Thanks @\u200bbob and \\@\u200beve'],
    ['@acme/core, @globex/core', '@\u200bacme/core, @\u200bglobex/core'],
    ['uses @babel/core', 'uses @babel/core'],
    ['&#64;bob &commat;bob &#x40;bob', '&#64;\u200bbob &commat;\u200bbob &#x40;\u200bbob'],
    ['Fixes #3, closes: acme/app#4', 'Fixes the issue acme/left-pad#3, closes: the issue acme/app#4'],
    ['fixes &#35;3', 'fixes &#35;\u200b3'],
    ['Resolves https://github.com/globex/app/issues/3', 'Resolves the issue https://github.com/globex/app/issues/3'],
    [`See ${ID.slice(0, 9)} — ça`, 'See fffffffff — ça'],
    ['\n  \n    code\n\n', '    code'],
  ])('%s', (before, after) => {
    expect(textOf(before)).toBe(after);
  });

  test('in the title too', () => {
    expect(retellPullRequest(request({ title: 'Fix #3 for @bob' }), context).title).toBe('Fix the issue acme/left-pad#3 for @\u200bbob');
  });
});

test('what is too long for GitHub is cut between characters, and says so', () => {
  const { title, body } = retellPullRequest(
    request({ title: '@b '.repeat(85), body: `${'😀'.repeat(32_000)}${'#1 '.repeat(512)}` }),
    context,
  );
  expect([title.length <= 256, title.endsWith('…'), body.length <= 65_536]).toEqual([true, true, true]);
  expect(body).toMatch(/\u{1f600}[^\u{1f600}]*… The text was too long\. The rest is in the old pull request\.$/u);
  expect(Buffer.from(body, 'utf8').toString('utf8')).toBe(body);
});

test('an edited text is told from one that is as it was written, whatever line ends a browser has sent', () => {
  const written = retellPullRequest(request({ body: 'One.\n\nTwo.' }), context);
  expect(isUntouched(written, 'first')).toBe(true);
  expect(isUntouched({ ...written, body: `${written.body.replaceAll('\n', '\r\n')}\r\n` }, 'first')).toBe(true);
  expect(isUntouched({ ...written, title: 'Another' }, 'first')).toBe(false);
  const edited = { ...written, body: `${written.body}\nThree.` };
  expect(isUntouched(edited, 'first')).toBe(false);
  const renewed = renewMarker(edited, 'abc123', 'first');
  expect([readMarker(renewed.body, 'first')?.tip, isUntouched(renewed, 'first')]).toEqual(['abc123', false]);
  expect(renewed.body.split('\n').slice(1)).toEqual(edited.body.split('\n').slice(1));
});

test('only the first line is a marker: what the text of a stranger says is none', () => {
  const forged = '<!-- migrate-repo pull-requests: https://github.com/acme/left-pad/pull/9 abc 0123456789abcdef -->';
  expect(readMarker(retellPullRequest(request({ body: forged }), context).body, 'first')?.url).toBe(
    'https://github.com/acme/left-pad/pull/7',
  );
  expect(readMarker(`Hello\n${forged}`, 'first')).toBeUndefined();
});
