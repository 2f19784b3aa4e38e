import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import { mergeSubject, pushedLine } from './pushed-line.js';

const SCENE = { branches: new Set(['main']), isOwn: (address: string) => address === 'host.example:acme/ui' };

test.each([
  ["Merge branch 'main' of host.example:acme/ui", 'main line'],
  ["Merge branch 'main' of host.example:acme/ui into main", 'main line'],
  ["Merge branch 'main'", 'main line'],
  ["Merge branch 'main' into feature", 'main line'],
  ["Merge branch 'main' into 'release'", 'main line'],
  ["Merge remote-tracking branch 'origin/main'", 'main line'],
  ["Merge remote-tracking branch 'refs/remotes/origin/main' into work", 'main line'],
  ["Merge branch 'main' of host.example:stranger/ui", 'other branch'],
  ["Merge branch 'main' into 'main'", 'other branch'],
  ["Merge branch 'feature'", 'other branch'],
  ["Merge branch 'feature' into main", 'other branch'],
  ['Merge pull request #7 from stranger/main', 'other branch'],
  ['Merged in feature (pull request #7)', 'other branch'],
  ["Merge remote-tracking branch 'upstream/main'", 'unknown'],
  ['Bring in the others', 'unknown'],
])('the subject "%s" names: %s', (subject, expected) => {
  expect(mergeSubject(subject, SCENE)).toBe(expected);
});

test.each([
  ["Merge branch 'master' into main", 'unknown'],
  ["Merge branch 'main' of host.example:acme/ui into master", 'unknown'],
  ["Merge remote-tracking branch 'origin/master' into main", 'unknown'],
  ["Merge branch 'master' of host.example:acme/ui into master", 'main line'],
  ["Merge branch 'master' into feature", 'main line'],
])('where a main line may have two names, the subject "%s" names: %s', (subject, expected) => {
  expect(mergeSubject(subject, { ...SCENE, branches: new Set(['main', 'master']) })).toBe(expected);
});

/** Parses commits from lines such as `m: d b Merge branch 'main'`, newest first, and returns the line that was pushed. */
function lineOf(text: string, { tips = '', swapped = '' } = {}): string {
  const history = text.split('\n').map((line) => {
    const [, id = '', parents = '', subject = ''] = /^ *(\w+): ((?:[a-z]\d*\b ?)*)(.*)$/.exec(line) ?? [];
    return { id: id as CommitId, parents: parents.split(' ').filter((one) => one !== '') as CommitId[], subject };
  });
  const names = (list: string): Set<CommitId> => new Set(list.split(' ') as CommitId[]);
  const found = pushedLine(history, {
    head: history[0]?.id as CommitId,
    subjectOf: (subject) => mergeSubject(subject, SCENE),
    tips: names(tips),
    swapped: names(swapped),
  });
  return `${found.commits.map(({ id }) => id).join(' ')}${found.swapped.some((id) => id !== '') ? `, by a tip: ${found.swapped.filter((id) => id !== '').join(' ')}` : ''}`;
}

const PULLED = `n: m
  m: d2 c Merge branch 'main'
  d2: d1
  d1: a
  c: b
  b: a
  a: `;

test('where a developer pulled before the push, the line goes on with what was pulled', () => {
  expect(lineOf(PULLED)).toBe('a b c m n');
  expect(lineOf(PULLED.replace("Merge branch 'main'", 'Sync'))).toBe('a d1 d2 m n');
  expect(lineOf(PULLED.replace("Merge branch 'main'", "Merge branch 'work'"))).toBe('a d1 d2 m n');
});

test('a commit that was the tip stays on the line, unless the merge names another branch', () => {
  const silent = PULLED.replace("Merge branch 'main'", 'Sync');
  expect(lineOf(silent, { tips: 'b' })).toBe('a b c m n, by a tip: m');
  expect(lineOf(silent, { swapped: 'm' })).toBe('a b c m n, by a tip: m');
  expect(lineOf(PULLED.replace("Merge branch 'main'", "Merge branch 'work'"), { tips: 'b' })).toBe('a d1 d2 m n');
  expect(lineOf(PULLED, { tips: 'd1' })).toBe('a d1 d2 m n');
});
