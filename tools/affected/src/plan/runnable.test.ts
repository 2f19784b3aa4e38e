import { describe, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { checkRunnable, findUnrunnable } from './runnable.js';

type Manifests = Readonly<Record<string, object>>;

function discover(manifests: Manifests): readonly Workspace[] {
  const folders = Object.keys(manifests) as RepoFolder[];
  return discoverWorkspaces({ folders, readManifest: (folder) => JSON.stringify(manifests[folder]) });
}

/** Returns folder and problem of each workspace that can never run. */
function problems(manifests: Manifests): readonly (readonly [folder: string, problem: string])[] {
  const workspaces = discover(manifests);
  const found = findUnrunnable(workspaces, () => true);
  return workspaces.flatMap(({ name, path }) => {
    const why = found.get(name);
    return why === undefined ? [] : [[path, why.problem] as const];
  });
}

const ROOT = { name: 'root', workspaces: ['packages/*', '!packages/left-out'] };
const UNSEEN = 'no pattern of "workspaces" in the root package.json matches its folder, so turborepo does not see it';
const NAMELESS = 'its package.json has no name that Yarn accepts';
const FILTER = 'turborepo reads its name as a filter';

describe('a workspace can be run', () => {
  test('if the root names its folder', () => {
    expect(problems({ '': ROOT, 'packages/ui': { name: '@acme/ui' }, 'packages/app': { name: 'app.web' } })).toEqual([]);
  });

  test('also if another one names it too', () => {
    const nested = { name: 'ui', workspaces: ['parts/*'] };
    const root = { name: 'root', workspaces: ['packages/*', 'packages/*/parts/*'] };
    expect(problems({ '': root, 'packages/ui': nested, 'packages/ui/parts/a': { name: 'a' } })).toEqual([]);
  });

  // Checked with turborepo 2.11, which runs each for `--filter=<name>`.
  test.each(['c++lib', '.dot', 'dot.', '..two', 'a...b', 'a..', '^hat', 'st*r', 'ha#sh', 'sp ace', '~t', 'a,b', '-dash', '(p)', 'a|b'])(
    'that is called %s',
    (name) => expect(problems({ '': ROOT, 'packages/a': { name } })).toEqual([]),
  );

  test('that is the root, whatever it is called, for turborepo calls it //', () => {
    expect(problems({ '': { ...ROOT, name: '!x' } })).toEqual([]);
  });
});

describe('a workspace can never be run', () => {
  test('that only another one names', () => {
    const nested = { name: 'ui', workspaces: ['parts/*', '../left-out'] };
    const all = { '': ROOT, 'packages/ui': nested, 'packages/ui/parts/a': { name: 'a' }, 'packages/left-out': { name: 'b' } };
    expect(problems(all)).toEqual([
      ['packages/left-out', UNSEEN],
      ['packages/ui/parts/a', UNSEEN],
    ]);
  });

  test.each([[{}], [{ name: '' }], [{ name: 'a/b' }]])('without a name: %j', (manifest) => {
    expect(problems({ '': ROOT, 'packages/a': manifest })).toEqual([['packages/a', NAMELESS]]);
    expect(problems({ '': { ...manifest, workspaces: [] } })).toEqual([['', NAMELESS]]);
  });

  // With turborepo 2.11, each finds nothing or is an error.
  test.each(['!x', '...lead', 'trail...', 'tr^...', 'a[b]', '[c]', 'a{b}', '{d}'])('whose name is a filter: %s', (name) => {
    expect(problems({ '': ROOT, 'packages/a': { name } })).toEqual([['packages/a', FILTER]]);
  });

  test.each([`a"b`, `a'b`, 'a`b', 'a\\b', 'x'.repeat(301)])('whose name no plan can hold: %s', (name) => {
    expect(problems({ '': ROOT, 'packages/a': { name } })).toEqual([
      ['packages/a', 'its name has a quote, a backslash or a control character, or is too long'],
    ]);
  });
});

test('the error says which one, why, and what to do', () => {
  const unrunnable = findUnrunnable(discover({ '': ROOT, 'packages/a': {} }), () => true);
  const [[name, why] = ['', undefined]] = unrunnable;
  const planned = { name, path: 'packages/a' };
  expect(() => checkRunnable({ ...planned, unrunnable: why }, 'test')).toThrow(
    expect.objectContaining({
      code: 'WORKSPACE_UNRUNNABLE',
      message: expect.stringMatching(
        /^The task "test" of a-[0-9a-f]{6} \(packages\/a\) can never run: its package\.json has no name that Yarn accepts\.$/,
      ),
      hint: 'Give it a "name" in packages/a/package.json.',
    }),
  );
  expect(() => checkRunnable(planned, 'test')).not.toThrow();
});
