import { expect, test } from '@jest/globals';
import { type OrderedTask, tasksBefore } from './tasks-before.js';

/** Reads `a#test < b#build, c#build > d#test`: a task with the tasks before and after it. Its hash is its name. */
function task(text: string): OrderedTask {
  const [id = '', before = '', after = ''] = text.split(/ [<>] ?/);
  const [workspace = '', name = ''] = id.split('#');
  const listOf = (names: string): readonly string[] => (names === '' ? [] : names.split(', '));
  return { package: workspace, task: name, hash: id, dependencies: listOf(before), dependents: listOf(after) };
}

test.each<[string, readonly string[], readonly string[]]>([
  ['none', ['a#test <  > ', 'b#build <  > '], []],
  [
    'those of its tasks',
    ['a#test < b#build > ', 'b#build < c#build > a#test', 'c#build <  > b#build', 'd#build <  > '],
    ['b#build', 'c#build'],
  ],
  ['of the root', ['a#test < //#gen > ', '//#gen <  > a#test'], ['//#gen']],
  [
    'those behind one without a script',
    ['a#test < a#build > ', 'c#build < d#build > b#build', 'd#build <  > c#build'],
    ['c#build', 'd#build'],
  ],
  ['each once in a ring', ['a#test < b#build > ', 'b#build < a#test > a#test'], ['b#build']],
])('turborepo runs %s before a task', (_, tasks, expected) => {
  const [first, ...others] = tasks.map(task) as [OrderedTask, ...OrderedTask[]];
  expect(tasksBefore([first, ...others])(first)).toEqual(expected);
});

test('a summary that does not say counts all tasks', () => {
  const [one, other] = [task('a#test <  > '), task('b#build <  > ')];
  expect(tasksBefore([one, other])({ ...one, dependencies: undefined })).toEqual(['b#build']);
  const unlisted = task('a#test < a#build > ');
  expect(tasksBefore([unlisted, { ...other, dependents: null }])(unlisted)).toEqual(['b#build']);
});
