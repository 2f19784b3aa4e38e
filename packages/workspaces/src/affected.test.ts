import { describe, expect, test } from '@jest/globals';
import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoPath } from '@tributary/model/paths';
import { changedFilesByMember, decideAffected } from './affected.js';
import { type ChangeScene, decide, namesIn, questionOf, ROOT, type SceneSide } from './affected-scene.fixture.js';
import type { EdgeField } from './dependency-graph.js';

/** Parses `'lib, app -> lib, tool -dev-> app'`. Each name is a member in the folder of the same name; the root is added. */
function side(text: string): SceneSide {
  const parts = text.split(',').map((part) => part.trim().split(/\s+/));
  const names = [...new Set(parts.flatMap(([from = '', , to]) => [from, ...(to === undefined ? [] : [to])]))].filter(
    (name) => name !== ROOT && name !== '',
  );
  const arrows: Readonly<Record<string, EdgeField>> = { '->': 'any', '-dev->': 'dev', '-peer->': 'peer' };
  return {
    members: { '': ROOT, ...Object.fromEntries(names.map((name) => [name, name])) },
    edges: parts.flatMap(([from = '', arrow = '', to]) => (to === undefined ? [] : [[from, arrows[arrow] ?? 'any', to] as const])),
  };
}

const EMPTY = { files: [], answered: [], rules: [], found: [], always: [] } as const;

function changed(path: string, status: ChangedFile['status'] = 'modified', kind: ChangedFile['kind'] = 'file'): ChangedFile {
  return { path: path as RepoPath, status, kind };
}

describe('a change affects', () => {
  const same = (text: string): Pick<ChangeScene, 'base' | 'head'> => ({ base: side(text), head: side(text) });
  const nested: SceneSide = { members: { '': ROOT, a: 'one', 'a/in': 'two' }, edges: [] };
  const flat: SceneSide = { members: { '': ROOT, a: 'one' }, edges: [] };
  test.each<[title: string, scene: Partial<ChangeScene>, names: string]>([
    ['the deepest workspace that holds the file', { base: nested, head: nested, files: [changed('a/in/x')] }, 'two'],
    ['not one whose folder only begins alike', { base: nested, head: nested, files: [changed('a/inner')] }, 'one'],
    ['the former owner of a deleted file', { base: nested, head: flat, files: [changed('a/in/x', 'deleted')] }, ''],
    ['the new and the former owner of a modified one', { base: flat, head: nested, files: [changed('a/in/x')] }, 'one two'],
    ['dependents at any distance', { ...same('c -> b, b -> a'), files: [changed('a/x')] }, 'a b c'],
    ['no dependency', { ...same('c -> b, b -> a'), files: [changed('b/x')] }, 'b c'],
    ['all of a cycle', { ...same('a -> b, b -> a, c -> c'), files: [changed('a/x')] }, 'a b'],
    ['the root, where it depends on the workspace', { ...same('root -> a, b'), files: [changed('a/x')] }, 'a root'],
    ['a dependent over an edge that only the base has', { base: side('b -> a'), head: side('a, b'), files: [changed('a/x')] }, 'a b'],
    ['a dependent over an edge that only the head has', { base: side('a, b'), head: side('b -> a'), files: [changed('a/x')] }, 'a b'],
    ['the former dependents of a workspace that is gone', { base: side('b -> a, c -> b'), head: side('c -> b') }, 'b c'],
    ['a new workspace', { base: side('a'), head: side('a, b') }, 'b'],
    ['those who are always tested, once', { ...same('a, b, c'), files: [changed('a/x')], always: ['c', 'a'] }, 'a c'],
    ['what lies behind a dev dependency', { ...same('c -> b, b -dev-> a'), files: [changed('a/x')] }, 'a b c'],
    [
      'the owner alone, by a rule',
      { ...same('b -> a'), files: [changed('a/x.md')], rules: [{ files: ['**/*.md'], affects: 'owner' }] },
      'a',
    ],
    ['nobody, by a rule', { ...same('b -> a'), files: [changed('a/x.md')], rules: [{ files: ['**/*.md'], affects: 'none' }] }, ''],
    [
      'whom a rule names, their dependents, and the owner',
      { ...same('b -> a, c'), files: [changed('c/x')], rules: [{ files: ['c/**'], affects: ['a'] }] },
      'a b c',
    ],
    [
      'the root alone, where a rule counts a file outside for its owner',
      { ...same('a'), files: [changed('x.sh')], rules: [{ files: ['x.sh'], affects: 'owner' }] },
      'root',
    ],
    [
      'whom a rule names for a file outside',
      { ...same('b -> a, c'), files: [changed('x.sh')], rules: [{ files: ['x.sh'], affects: ['a'] }] },
      'a b',
    ],
    [
      'whom a rule of the user names, where a file outside was answered for',
      { ...same('b -> a'), files: [changed('yarn.lock')], answered: ['yarn.lock'], rules: [{ files: ['yarn.lock'], affects: ['a'] }] },
      'a b',
    ],
    [
      'the owner of a file that was answered for, whatever rule there is',
      {
        ...same('b -> a'),
        files: [changed('a/package.json')],
        answered: ['a/package.json'],
        rules: [{ files: ['a/**'], affects: 'none' }],
      },
      'a b',
    ],
    ['nobody, where a file outside was answered for', { ...same('a'), files: [changed('yarn.lock')], answered: ['yarn.lock'] }, ''],
    ['workspaces inside of a submodule', { base: nested, head: nested, files: [changed('a', 'modified', 'submodule')] }, 'one two'],
    ['the owner of a symlink', { ...same('a'), files: [changed('a/x', 'modified', 'symlink')] }, 'a'],
  ])('%s', (_, scene, names) => {
    const answer = decide({ ...EMPTY, base: flat, head: flat, ...scene });
    expect({ all: answer.all, names: namesIn(answer).join(' ') }).toEqual({ all: null, names });
  });

  test.each<[title: string, scene: Partial<ChangeScene>, all: unknown]>([
    [
      'a file outside that no rule knows',
      { files: [changed('x.txt')] },
      { code: 'FILE_UNCLAIMED', reason: 'x.txt belongs to no workspace and matches no rule.' },
    ],
    [
      'several',
      { files: [changed('y.txt'), changed('a/x'), changed('x.txt')] },
      { code: 'FILE_UNCLAIMED', reason: 'y.txt (and 1 more) belongs to no workspace and matches no rule.' },
    ],
    ['a deleted one', { files: [changed('x.txt', 'deleted')] }, expect.objectContaining({ code: 'FILE_UNCLAIMED' })],
    [
      'one beside the project, though its name ends like a workspace',
      { files: [changed('../a/x')] },
      expect.objectContaining({ code: 'FILE_UNCLAIMED' }),
    ],
    [
      'a rule',
      { files: [changed('a/x')], rules: [{ files: ['a/*'], affects: 'all' }] },
      { code: 'RULE', reason: 'a/x changed, and the rule "a/*" (tributary.json) selects every workspace.', subject: 'a/x' },
    ],
    [
      'a rule that names nobody here',
      { files: [changed('a/x')], rules: [{ files: ['a/*'], affects: ['gone'] }] },
      { code: 'RULE', reason: 'a/x changed, and its rule "a/*" names "gone", an unknown workspace.' },
    ],
    [
      'a core test that is no workspace any more',
      { always: ['gone'] },
      { code: 'RULE', reason: '"affected.always" names "gone", an unknown workspace.' },
    ],
  ])('everybody, because of %s', (_, scene, all) => {
    const answer = decide({ ...EMPTY, base: side('b -> a'), head: side('b -> a'), ...scene });
    expect(answer.all).toEqual(all);
    expect(namesIn(answer)).toEqual(['a', 'b', ROOT]);
  });

  test('everybody, because of what was known before; files that nobody claims are listed all the same', () => {
    const known = { code: 'NO_MERGE_BASE', reason: 'x' } as const;
    const question = questionOf({ ...EMPTY, base: side('a'), head: side('a'), files: [changed('y'), changed('x')], always: ['a'] });
    const answer = decideAffected({ ...question, all: known });
    expect(answer.all).toBe(known);
    expect(answer.unclaimedFiles).toEqual(['x', 'y']);
    expect(answer.members.map(({ reasons }) => reasons)).toEqual([[{ kind: 'all' }], [{ kind: 'always' }, { kind: 'all' }]]);
  });
});

test('a workspace names its first file and counts the others; the way through others is the shortest', () => {
  const text = 'd -> c, c -> a, d -> b, b -> x, x -> a';
  const files = [changed('a/2'), changed('a/1'), changed('a/3')];
  const answer = decide({ ...EMPTY, base: side(text), head: side(text), files, always: ['d'] });
  const because = { kind: 'file', file: 'a/2', others: 0 };
  const reasons = Object.fromEntries(answer.members.map((member) => [member.name, member.reasons]));
  expect(reasons).toMatchObject({
    a: [{ kind: 'file', file: 'a/2', others: 2 }],
    c: [{ kind: 'dependency', path: ['c', 'a'], because }],
    d: [{ kind: 'dependency', path: ['d', 'c', 'a'], because }, { kind: 'always' }],
    b: [{ kind: 'dependency', path: ['b', 'x', 'a'], because }],
  });
});

test('the changed files of each workspace are those that are a reason for it alone, a moved one for both', () => {
  const text = 'b -> a';
  const files = [
    changed('a/2'),
    changed('a/1.md'),
    changed('a/old', 'deleted'),
    changed('b/new', 'added'),
    changed('root.txt'),
    changed('a/1'),
  ];
  const rules = [{ files: ['**/*.md'], affects: 'owner' as const }];
  const byMember = changedFilesByMember(questionOf({ ...EMPTY, base: side(text), head: side(text), files, rules }));
  const paths = Object.fromEntries([...byMember].map(([name, own]) => [name, own.map(({ path }) => path)]));
  expect(paths).toEqual({ a: ['a/2', 'a/old', 'a/1'], b: ['b/new'] });
});

test('a renamed workspace is the same one: its former dependents are affected by it, and it is not new', () => {
  const base = side('app -> old');
  const head: SceneSide = { members: { '': ROOT, app: 'app', old: 'fresh' }, edges: [] };
  expect(decide({ ...EMPTY, base, head }).members).toEqual([]);
  expect(namesIn(decide({ ...EMPTY, base, head, files: [changed('old/package.json')] }))).toEqual(['app', 'fresh']);
});
