import { afterEach, describe, expect, test } from '@jest/globals';
import type { Comment, Forge } from '@tributary/model/forge';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { openGitHub } from './open-github.js';
import { answerGraphql, type CommentNode } from './testing/graphql-github.js';
import { type HttpAnswer, type LocalGitHub, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const MARKER = '<!-- affected:ci -->';
const comment: Comment = { pullRequest: 7, marker: MARKER, body: '## Passed\n' };

interface Scene {
  readonly server: LocalGitHub;
  readonly comments: CommentNode[];
  readonly forge: Forge;
}

/** `fate`: the answer to a request; `undefined`: the normal one. */
async function start(
  comments: CommentNode[],
  fate: (body: string) => HttpAnswer | 'hang up' | undefined = () => undefined,
): Promise<Scene> {
  const server = cleanUp.add(
    await startGitHub((url, body) =>
      /^(\/api)?\/graphql$/.test(url.pathname) ? (fate(body) ?? answerGraphql({ comments }, body)) : refusal(404, 'Not Found'),
    ),
  );
  const forge = openGitHub({ owner: 'acme', repo: 'app', apiUrl: server.apiUrl, token: 'ghs_s3cret', secondMs: 1 });
  return { server, comments, forge };
}

const others = (body: string): CommentNode => ({ id: 'IC_0', viewerDidAuthor: false, body });
const isWrite = (body: string): boolean => body.includes('mutation');
const said = (type: string, message: string): HttpAnswer => ({ body: { data: null, errors: [{ type, message, path: ['addComment'] }] } });

test('the first time it is added, after that it is replaced, by the schema of GitHub', async () => {
  const { comments, forge } = await start([others('Nice!')]);
  expect(await forge.writeComment(comment)).toBe('created');
  expect(await forge.writeComment({ ...comment, body: '## Not proven\n' })).toBe('updated');
  expect(comments).toEqual([others('Nice!'), { id: 'IC_2', viewerDidAuthor: true, body: `${MARKER}\n## Not proven\n` }]);
});

test('it is found on a later page, with the line ends of a browser, and the first of two is taken', async () => {
  const own = (id: string): CommentNode => ({ id, viewerDidAuthor: true, body: `${MARKER}\r\nold` });
  const { comments, forge, server } = await start([...Array.from({ length: 60 }, () => others('+1')), own('IC_a'), own('IC_b')]);
  expect(await forge.writeComment(comment)).toBe('updated');
  expect(comments.slice(60).map(({ body }) => body)).toEqual([`${MARKER}\n## Passed\n`, `${MARKER}\r\nold`]);
  expect(server.requests.length).toBeGreaterThan(2);
});

describe('none of ours is', () => {
  test.each<[title: string, other: CommentNode]>([
    ['the marker in the comment of somebody else', others(`${MARKER}\nmine`)],
    ['one of ours with another marker', { ...others('<!-- affected:ci2 -->'), viewerDidAuthor: true }],
    ['one of ours that quotes the marker', { ...others(`> ${MARKER}\n\n${MARKER}`), viewerDidAuthor: true }],
    ['one of ours whose first line only begins with it', { ...others(`${MARKER} x`), viewerDidAuthor: true }],
  ])('%s', async (_, other) => {
    const { comments, forge } = await start([{ ...other }]);
    expect(await forge.writeComment(comment)).toBe('created');
    expect(comments).toEqual([other, { id: 'IC_2', viewerDidAuthor: true, body: `${MARKER}\n## Passed\n` }]);
  });
});

describe('a comment that cannot be written is a failure that says so', () => {
  const FORBIDDEN = said('FORBIDDEN', 'Resource not accessible by integration');
  const refused = 'GitHub did not write the comment on pull request 7 of acme/app: ';
  test.each<[title: string, fate: (body: string) => HttpAnswer | 'hang up' | undefined, code: string, message: string]>([
    ['a token that can only read', (body) => (isWrite(body) ? FORBIDDEN : undefined), 'GITHUB_REFUSED', `${refused}Resource not acc`],
    ['403', (body) => (isWrite(body) ? refusal(403, 'No') : undefined), 'GITHUB_REFUSED', `${refused}403, No`],
    ['404', (body) => (isWrite(body) ? refusal(404, 'Not Found') : undefined), 'GITHUB_REFUSED', `${refused}404, Not Found`],
    ['a token that cannot even read', () => FORBIDDEN, 'GITHUB_REFUSED', 'GitHub did not show the comments of pull request 7'],
    ['a broken connection', (body) => (isWrite(body) ? 'hang up' : undefined), 'GITHUB_UNREACHABLE', refused],
  ])('%s', async (_, fate, code, message) => {
    const { comments, forge, server } = await start([], fate);
    await expect(forge.writeComment(comment)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: code === 'GITHUB_REFUSED' ? expect.stringContaining('"pull-requests: write"') : expect.anything(),
    });
    expect([comments, server.requests.length]).toEqual([
      [],
      code === 'GITHUB_REFUSED' && message.startsWith(refused) ? 2 : expect.any(Number),
    ]);
  });

  test('and is not tried again, for the first try may have added it', async () => {
    const { forge, server } = await start([], (body) => (isWrite(body) ? { status: 502, body: 'Bad Gateway' } : undefined));
    await expect(forge.writeComment(comment)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
    expect(server.requests).toHaveLength(2);
  });

  test('such as one on no pull request', async () => {
    const { forge } = await start([]);
    await expect(forge.writeComment({ ...comment, pullRequest: 8 })).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  });
});
