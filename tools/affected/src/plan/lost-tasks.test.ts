import { describe, expect, test } from '@jest/globals';
import { type BaseSide, findLostTasks, type TaskSide } from './lost-tasks.js';
import { parseTurboTasks } from './turbo-tasks.js';

const TURBO = '{ "tasks": { "test": {}, "lint": {} } }';

/** Returns a side with workspaces such as `a`, `a=old/a` (its folder), `a!` (without the script). */
function side(workspaces: readonly string[], turbo = TURBO): TaskSide {
  return {
    turboTasks: parseTurboTasks(turbo),
    workspaces: workspaces.map((text) => {
      const [, name = '', path = `packages/${name}`, none] = /^([^=!]+)(?:=([^!]*))?(!)?$/.exec(text) ?? [];
      return { name, path, scripts: new Map(none === undefined ? [['test', 'jest']] : [['tests', 'jest']]) };
    }),
  };
}

function lostOf(base: readonly string[], head: TaskSide, more: { left?: readonly string[]; named?: readonly string[] } = {}): unknown {
  const leftBehind = new Map((more.left ?? []).map((path) => [path, 'It is still there.']));
  const agreed = { dropped: [{ name: 'b', task: 'test', because: 'of\nold' }], named: more.named ?? [] };
  const { lost } = findLostTasks({ ...side(base), leftBehind }, head, { task: 'test', agreed });
  return lost.map(({ workspace, agreed: why }) => (why === null ? workspace : `${workspace}: ${why}`));
}

describe('a task is lost by', () => {
  test.each<[title: string, head: TaskSide, lost: readonly string[]]>([
    ['all whose script has another name', side(['a!', 'c!']), ['a', 'c']],
    ['one whose script went', side(['a!', 'c']), ['a']],
    ['one whose script went with its name', side(['x=packages/a!', 'c']), ['a']],
    ['one whose script went with its place', side(['a=libs/a!', 'c']), ['a']],
    ['one whose name a new workspace took', side(['a=libs/a', 'x=packages/a!', 'c']), ['a']],
    ['all that turbo.json names no more', side(['a', 'c'], '{ "tasks": { "c#test": {} } }'), ['a']],
  ])('%s', (_, head, lost) => expect(lostOf(['a', 'c'], head)).toEqual(lost));

  test('one whose files are in another workspace, under another name, and have no task there', () => {
    const base: BaseSide = {
      ...side(['a', 'b']),
      leftBehind: new Map(),
      movedTo: new Map([
        ['packages/a', 'libs/x'],
        ['packages/b', 'libs/y'],
      ]),
    };
    const { lost } = findLostTasks(base, side(['x=libs/x!', 'y=libs/y']), { task: 'test', agreed: { dropped: [], named: [] } });
    expect(lost).toEqual([{ workspace: 'a', reason: 'It has no script "test".', agreed: null }]);
  });

  test('one that is no workspace any more though it is still there', () => {
    expect(lostOf(['a', 'c'], side(['c']), { left: ['packages/a'] })).toEqual(['a']);
  });

  test.each<[title: string, script: string, lost: readonly string[]]>([
    ['only prints', 'echo "no tests yet"', ['a']],
    ['only ends', 'exit 0', ['a']],
    ['prints and ends', 'echo ok && true; :', ['a']],
    ['ends before its tests', 'echo later; exit; jest', ['a']],
    ['has its tests in words that nobody reads', 'true # jest', ['a']],
    ['ends behind its tests', 'jest; exit 0', []],
    ['prints, then fails', 'echo "no tests yet" && exit 1', []],
    ['prints what a program says', 'echo $(jest)', []],
    ['prints into a program', 'echo x | jest', []],
    ['is a program with such a name', 'true-myth', []],
  ])('one whose script %s', (_, script, lost) => {
    const one = side(['a']);
    const head = { ...one, workspaces: one.workspaces.map((owner) => ({ ...owner, scripts: new Map([['test', script]]) })) };
    expect(lostOf(['a'], head)).toEqual(lost);
    // It had no such task before either.
    const base = { ...head, leftBehind: new Map<string, string>() };
    expect(findLostTasks(base, side(['a!']), { task: 'test', agreed: { dropped: [], named: [] } }).lost).toHaveLength(1 - lost.length);
  });

  test('one whose script is empty', () => {
    const { turboTasks, workspaces } = side(['a']);
    const emptied = workspaces.map((one) => ({ ...one, scripts: new Map([['test', ' ']]) }));
    expect(lostOf(['a'], { turboTasks, workspaces: emptied })).toEqual(['a']);
  });

  test('the root, whose task has a key of its own', () => {
    const base = { ...side(['root='], '{ "tasks": { "//#test": {} } }'), leftBehind: new Map() };
    const { lost } = findLostTasks(base, side(['root=']), { task: 'test', agreed: { dropped: [], named: [] } });
    expect(lost).toEqual([{ workspace: 'root', reason: 'turbo.json has no task "//#test" for the root.', agreed: null }]);
  });
});

describe('no task is lost', () => {
  test.each<[title: string, base: readonly string[], head: readonly string[]]>([
    ['where nothing changed', ['a', 'c'], ['c', 'a']],
    ['by a workspace that was deleted', ['a', 'c'], ['c']],
    ['by one that has another name', ['a'], ['x=packages/a']],
    ['by one that has another place', ['a'], ['a=libs/a']],
    ['by two that changed their names', ['a', 'c'], ['a=packages/c', 'c=packages/a']],
    ['by one that had none', ['a!'], ['a!']],
    ['by a new one', [], ['a!']],
  ])('%s', (_, base, head) => expect(lostOf(base, side(head))).toEqual([]));
});

describe('somebody agreed', () => {
  test('in tributary.json, for this task; the reason stands in one line', () => {
    expect(lostOf(['a', 'b'], side(['a!', 'b!']))).toEqual(['a', 'b: of old']);
    const lint = findLostTasks(
      {
        workspaces: [{ name: 'b', path: 'b', scripts: new Map([['lint', 'x']]) }],
        turboTasks: parseTurboTasks(TURBO),
        leftBehind: new Map(),
      },
      side(['b=b!']),
      { task: 'lint', agreed: { dropped: [{ name: 'b', task: 'test', because: 'x' }], named: [] } },
    );
    expect(lint.lost).toMatchObject([{ workspace: 'b', agreed: null }]);
  });

  test('on the command line, for some or for all', () => {
    const said = 'The job that made the plan says so (--dropped).';
    expect(lostOf(['a', 'c'], side(['a!', 'c!']), { named: ['a', 'none'] })).toEqual([`a: ${said}`, 'c']);
    expect(lostOf(['a', 'c'], side(['a!', 'c!']), { named: ['*'] })).toEqual([`a: ${said}`, `c: ${said}`]);
  });

  test('to what did not happen, which is no mistake', () => expect(lostOf(['b'], side(['b']), { named: ['x', 'b'] })).toEqual([]));
});

test('a base that is not known is told in one line, and loses nothing', () => {
  const base: BaseSide = { unknown: 'fatal:\nno object' };
  const agreed = { dropped: [], named: [] };
  expect(findLostTasks(base, side([]), { task: 'test', agreed })).toEqual({ unknown: 'fatal: no object', workspaces: 0, lost: [] });
});
