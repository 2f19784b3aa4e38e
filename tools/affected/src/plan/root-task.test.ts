import { expect, test } from '@jest/globals';
import { affectedOf } from '../gate/proof.fixture.js';
import { withRootTask } from './root-task.js';

const root = { name: 'root', path: '', scripts: new Map([['test', 'jest']]) };
const app = { name: 'app', path: 'app', scripts: new Map([['test', 'jest']]) };
const withTask = { task: 'test', turboTasks: new Map([['//#test', []]]) };
const without = { task: 'test', turboTasks: new Map([['test', []]]) };

test('a task of the root runs where any workspace is affected', () => {
  const { workspaces } = withRootTask(affectedOf(['app']), [app, root], withTask);
  expect(workspaces.map(({ name, path }) => [name, path])).toEqual([
    ['root', '.'],
    ...affectedOf(['app']).workspaces.map(({ name, path }) => [name, path]),
  ]);
  expect(workspaces[0]?.reasons).toEqual([{ kind: 'always' }]);
});

test.each([
  ['nobody is affected', affectedOf([]), [app, root], withTask],
  ['turbo.json has no such task for the root', affectedOf(['app']), [app, root], without],
  ['the root has no such script', affectedOf(['app']), [app, { ...root, scripts: new Map() }], withTask],
  ['there is no root', affectedOf(['app']), [app], withTask],
])('it does not run where %s', (_, affected, workspaces, tasks) => {
  expect(withRootTask(affected, workspaces, tasks)).toBe(affected);
});
