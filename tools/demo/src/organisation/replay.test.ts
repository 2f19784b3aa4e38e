import { expect, test } from '@jest/globals';
import { tom } from './people.js';
import { releasesOf, replay } from './replay.js';
import { branch, commit, merge, release, type Story, type StoryEvent } from './story.js';

const story = (...events: readonly StoryEvent[]): Story => ({
  folder: 'x',
  manager: 'npm',
  begin: '2024-01-01T00:00:00Z',
  hoursBetween: 10,
  events,
});
const start = commit(tom, 'Start', { manifest: { name: 'x', version: '0.1.0', dependencies: { b: '^1.0.0' } } });

test('blocks of a manifest are merged in order, and null takes an entry away', () => {
  const { manifest } = replay(story(start, commit(tom, 'More', { manifest: { dependencies: { a: '^1.0.0', b: null, c: '^2.0.0' } } })));
  expect(JSON.stringify(manifest.dependencies)).toBe('{"a":"^1.0.0","c":"^2.0.0"}');
  expect(manifest.name).toBe('x');
});

test('a commit has a project where it touches a manifest, also one below the root', () => {
  const { acts } = replay(
    story(start, commit(tom, 'No', { files: { a: 'a' } }), commit(tom, 'Yes', { files: { 'p/package.json': '{}' } })),
  );
  expect(acts.map(({ project }) => project !== undefined)).toEqual([true, false, true]);
  expect(acts.at(-1)?.project?.workspaces).toEqual({ 'p/package.json': '{}' });
});

test('time never goes back, and begins when the story begins', () => {
  const { acts } = replay(story(start, ...branch('side', commit(tom, 'Side')), merge(tom, ['side']), ...release(tom, '1.0.0')));
  const times = acts.map(({ seconds }) => seconds);
  expect(times[0]).toBe(Date.parse('2024-01-01T00:00:00Z') / 1000);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('what is released has the version of its tag', () => {
  const released = releasesOf(story(start, ...release(tom, '1.0.0'), commit(tom, 'Work'), ...release(tom, '1.1.0', 'More\n')));
  expect(released.map(({ manifest }) => manifest.version)).toEqual(['1.0.0', '1.1.0']);
});

test('what is released has the files of its time', () => {
  const files = (content: string | null): StoryEvent =>
    commit(tom, 'Work', { files: content === null ? { lib: null } : { 'lib/a.js': content, '.npmrc': 'x' } });
  const released = releasesOf(
    story(start, files('1'), ...release(tom, '1.0.0'), files('2'), ...release(tom, '1.1.0'), files(null), ...release(tom, '2.0.0')),
  );
  expect(released.map((one) => one.files)).toEqual([{ 'lib/a.js': '1' }, { 'lib/a.js': '2' }, {}]);
});

test('a story without a name is refused', () => {
  expect(() => replay(story())).toThrow('The story of x never names its package.');
});
