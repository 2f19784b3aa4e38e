import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { MainLineStep } from './layout.js';
import type { MainLine } from './main-line.js';
import { TAG_PATTERNS, tagReader } from './tag-name.js';
import { gitTracesOf } from './traces.js';

const PACKAGES = new Set(['ui', 'app']);

const LAYOUT = new Map([...PACKAGES].map((name) => [name, { name, version: name === 'app' ? '1.0.0' : '0.1.0' }]));

/** Returns the traces of tags, each on the commit that its line names, and made at a time; the commit `b` sets the version of `app`. */
function tracesOf(tags: readonly (readonly [name: string, commit: string, tagged?: number])[]): ReturnType<typeof gitTracesOf> {
  const read = tagReader(TAG_PATTERNS, PACKAGES);
  const steps = ['a', 'b', 'c'].map((id) => {
    const bumps = new Map(id === 'b' ? [['app', '1.0.0']] : []);
    return { commit: { id, at: 0, subject: 'Work' }, bumps, appeared: new Set(), layout: LAYOUT, isOnlyVersions: false };
  });
  const positions = new Map(['a', 'b', 'c'].map((id, at) => [id as CommitId, at]));
  const found = tags.map(([name, commit, tagged]) => ({
    ...read(name),
    tag: { name, commit: commit as CommitId, committed: 0, tagged },
  }));
  const main = { steps: steps as unknown as readonly MainLineStep[], positions, published: PACKAGES, tags: found } as unknown as MainLine;
  return gitTracesOf(main, { anchors: positions, landings: new Map(), beside: new Map(), imports: [] });
}

test('a commit that sets the version of another package is no release commit of this one', () => {
  const { tags } = tracesOf([
    ['ui@1.0.0', 'b'],
    ['app@1.0.0', 'b'],
    ['app@1.0.1', 'b'],
  ]);
  const isRelease = (name: string, version: string): boolean | undefined => tags.get(name)?.get(version)?.isRelease;
  expect([isRelease('ui', '1.0.0'), isRelease('app', '1.0.0'), isRelease('app', '1.0.1')]).toEqual([false, true, false]);
});

test.each([
  ['of two forms, the usual one counts', 'release-1.0.0 b, v1.0.0 c', 'c'],
  ['a folder of modules is no package, if the version has another tag', 'app/v1.0.0 a, v1.0.0 b', 'b'],
  ['the package counts more than the repository', 'app@1.0.0 c, v1.0.0 b', 'c'],
  ['a rare form counts alone', 'release-1.0.0 b', 'b'],
  ['two of one form contradict each other', 'app@1.0.0 a, app@v1.0.0 c', 'a or c'],
])('%s: %s', (_, tags, expected) => {
  const pairs = tags.split(', ').map((tag) => tag.split(' ') as [string, string]);
  const trace = tracesOf(pairs).tags.get('app')?.get('1.0.0');
  expect([trace?.commit, trace?.other?.commit].filter((commit) => commit !== undefined).join(' or ')).toBe(expected);
});

test.each([
  ['v1.0.0', 'app@1.0.0', 5e6],
  ['app@1.0.0', 'v1.0.0', 5e6],
  ['release-1.0.0', 'v1.0.0', undefined],
])('of two tags on one commit the annotated one has the time, unless it may be a cut point: %s beside %s', (annotated, light, time) => {
  const both: [name: string, commit: string, tagged?: number][] = [
    [annotated, 'c', 5],
    [light, 'c'],
  ];
  for (const pair of [both, both.toReversed()]) {
    const { tags } = tracesOf(pair);
    expect(tags.get('app')?.get('1.0.0')).toMatchObject({ commit: 'c', tagged: time });
  }
});

test('of two names for one release the tag that was made first has the time', () => {
  const { tags } = tracesOf([
    ['app@1.0.0', 'c', 6],
    ['app@v1.0.0', 'c', 5],
    ['app-v1.0.0', 'c'],
  ]);
  expect(tags.get('app')?.get('1.0.0')).toMatchObject({ tag: 'app@v1.0.0', tagged: 5e6 });
});

test('why a tag is of no package is what was seen of its commit', () => {
  const { unclaimed } = tracesOf([
    ['v1.0.0', 'b'],
    ['1.0.0', 'b'],
    ['v1.0.0', 'c'],
    ['v2.0.0', 'c'],
    ['v1.0.0', 'of no main line'],
  ]);
  expect(unclaimed.map(({ name, why }) => `${name}: ${why}`)).toEqual([
    'v1.0.0: another history',
    '1.0.0: not new',
    'v1.0.0: not new',
    'v2.0.0: no package',
  ]);
});
