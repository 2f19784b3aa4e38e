import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitOf } from './changeset.fixture.js';
import { compareCommits, parseRevision, type Revision } from './changeset.js';

const cleanUp = cleanUpIn(afterEach);

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

const rev = parseRevision;

describe('a revision', () => {
  const fine = [
    'main',
    'HEAD',
    'HEAD^1',
    'HEAD~3',
    'HEAD^',
    'origin/main',
    'refs/heads/x',
    'v1.0.0',
    'a'.repeat(40),
    'ü/x',
    'a^{commit}',
    'x@y',
    '@',
    'a.b',
  ];
  test.each(fine)('may be "%s"', (text) => {
    expect(parseRevision(text)).toBe(text);
  });

  const options = ['-', '--', '-x', '--all', '--output=/tmp/x', '--upload-pack=x'];
  const several = ['a..b', 'a...b', '..', '^', 'a^@', 'a^!', 'a^-', 'a^-1', 'HEAD:package.json', ':/text', ':0:x'];
  const odd = ['', ' ', 'a b', 'a\tb', 'a\nb', 'a\0b', 'a\x7f', 'a*', 'a?', 'a[b', 'a\\b'];
  test.each([...options, ...several.filter((text) => text !== '^'), ...odd])('may not be %j', (text) => {
    expect(() => parseRevision(text)).toThrow(expect.objectContaining({ code: 'USAGE', message: `"${text}" cannot name a commit.` }));
  });

  test('that begins with ^ is none that git finds', async () => {
    const repo = create();
    repo.commit('x');
    for (const text of ['^', '^HEAD', '^main']) {
      const parsed = ((): Revision | undefined => {
        try {
          return parseRevision(text);
        } catch {
          return undefined;
        }
      })();
      if (parsed !== undefined) expect(await compareCommits(gitOf(repo), parsed, rev('HEAD'))).toBe(undefined);
      if (parsed !== undefined) expect(await compareCommits(gitOf(repo), rev('HEAD'), parsed)).toBe(undefined);
    }
  });
});
