import { describe, expect, test } from '@jest/globals';
import { whyNoTask } from './has-task.js';
import { checkTask, dependenciesOf, inRunOrder, parseTurboTasks, withOwnTasks } from './turbo-tasks.js';

const invalid = (message: unknown): unknown => expect.objectContaining({ code: 'CONFIG_INVALID', message });

describe('turbo.json', () => {
  const tasks = { build: { dependsOn: ['^build'], outputs: ['dist/**'] }, test: {}, '@acme/ui#test': { dependsOn: ['build', '$CI', 7] } };
  const expected = new Map([
    ['build', ['^build']],
    ['test', []],
    ['@acme/ui#test', ['build', '$CI']],
  ]);

  test.each<[title: string, text: string]>([
    ['of turborepo 2', JSON.stringify({ tasks })],
    ['of turborepo 1', JSON.stringify({ pipeline: tasks })],
    ['with comments, and commas at the end', `// about\n${JSON.stringify({ tasks }).replace(/\}$/, ', /* the end */ }')}`],
    ['with a byte order mark', `\uFEFF${JSON.stringify({ tasks })}`],
  ])('%s', (_, text) => expect(parseTurboTasks(text)).toEqual(expected));

  test('may name a task that is nothing to read', () => {
    expect(parseTurboTasks('{"tasks":{"a":null,"b":{"dependsOn":"x"},"c":[]}}')).toEqual(
      new Map([
        ['a', []],
        ['b', []],
        ['c', []],
      ]),
    );
  });

  test.each<[title: string, text: string | undefined, message: string]>([
    ['that is missing', undefined, 'The commit has no turbo.json at the root of the project.'],
    ['that is empty', '', 'turbo.json cannot be read: it is not JSON.'],
    ['that is cut off', '{"tasks":{"a":{', 'turbo.json cannot be read: it is not JSON.'],
    ['that is a list', '[]', 'turbo.json cannot be read: it is not JSON.'],
    ['that is nested without end', '{"a":'.repeat(50_000), 'turbo.json cannot be read: it is not JSON.'],
    ['without tasks', '{"globalEnv":[]}', 'turbo.json has no "tasks".'],
    ['whose tasks are a list', '{"tasks":[]}', 'turbo.json has no "tasks".'],
  ])('%s', (_, text, message) => expect(() => parseTurboTasks(text)).toThrow(invalid(message)));
});

describe('what a task depends on', () => {
  const tasks = parseTurboTasks('{"tasks":{"test":{"dependsOn":["^build"]},"@acme/ui#test":{"dependsOn":["build"]},"@acme/e2e#test":{}}}');

  test.each<[workspace: string, task: string, expected: readonly string[]]>([
    ['app', 'test', ['^build']],
    ['@acme/ui', 'test', ['build']],
    ['@acme/e2e', 'test', []],
    ['app', 'lint', []],
  ])('%s#%s', (workspace, task, expected) => expect(dependenciesOf(tasks, workspace, task)).toEqual(expected));
});

describe('the turbo.json of a workspace', () => {
  const root = parseTurboTasks('{"tasks":{"build":{"dependsOn":["^build"]},"test":{"dependsOn":["^build"]}}}');

  function own(text: string, task = 'test'): readonly string[] {
    return dependenciesOf(withOwnTasks(root, [{ workspace: 'app', file: 'packages/app/turbo.json', text }]), 'app', task);
  }

  test.each<[title: string, said: unknown, expected: readonly string[]]>([
    ['takes the place of what the root says', { dependsOn: ['build'] }, ['build']],
    ['may take it away', { dependsOn: [] }, []],
    ['leaves it where it says nothing of it', { outputs: ['x'] }, ['^build']],
    ['may add to it', { dependsOn: ['$TURBO_EXTENDS$', 'lint'] }, ['^build', 'lint']],
    ['may begin anew, and then nothing is counted on', { extends: false, dependsOn: ['^build'] }, []],
  ])('%s', (_, said, expected) => expect(own(JSON.stringify({ extends: ['//'], tasks: { test: said } }))).toEqual(expected));

  test('leaves tasks alone that it does not name, and other workspaces', () => {
    const text = '{"extends":["//"],"tasks":{"test":{"dependsOn":[]}}}';
    expect(own(text, 'build')).toEqual(['^build']);
    const all = withOwnTasks(root, [{ workspace: 'app', file: 'x', text }]);
    expect(dependenciesOf(all, 'lib', 'test')).toEqual(['^build']);
  });

  test('may declare a task that the root does not have', () => {
    const text = '{"extends":["//"],"tasks":{"e2e":{"dependsOn":["build"]}}}';
    expect(own(text, 'e2e')).toEqual(['build']);
    const all = withOwnTasks(root, [{ workspace: 'app', file: 'x', text }]);
    expect(() => checkTask(all, 'e2e')).not.toThrow();
  });

  test.each(['{"extends":["//","settings"]}', '{"extends":["settings"],"tasks":{"test":{"dependsOn":["^build"]}}}', '{}'])(
    'that takes its tasks from a third place, or from nowhere, is not counted on: %s',
    (text) => expect([own(text), own(text, 'build')]).toEqual([[], []]),
  );

  test('takes itself out of a task, and of one with other keys not', () => {
    const found = withOwnTasks(new Map([['test', ['^build']]]), [
      { workspace: 'a', file: 'a/turbo.json', text: '{"extends":["//"],"tasks":{"test":{"extends":false}}}' },
      { workspace: 'b', file: 'b/turbo.json', text: '{"extends":["//"],"tasks":{"test":{"extends":false,"dependsOn":[]}}}' },
    ]);
    const scripts = new Map([['test', 'jest']]);
    expect(whyNoTask({ name: 'a', path: 'a', scripts }, 'test', found)).toBe('Its turbo.json excludes it from the task "test".');
    expect(whyNoTask({ name: 'b', path: 'b', scripts }, 'test', found)).toBeUndefined();
  });

  test('that cannot be read is named', () => {
    expect(() => own('{')).toThrow(invalid('packages/app/turbo.json cannot be read: it is not JSON.'));
  });
});

describe('a task that is asked for', () => {
  const tasks = parseTurboTasks('{"tasks":{"build":{},"test":{},"@acme/ui#e2e":{},"//#lint":{}}}');

  test.each(['build', 'test', 'e2e', 'lint'])('is known: %s', (task) => expect(() => checkTask(tasks, task)).not.toThrow());

  test.each(['', 'tes', 'ui#e2e', '^build', 'constructor'])('is not: "%s"', (task) => {
    expect(() => checkTask(tasks, task)).toThrow(
      expect.objectContaining({
        code: 'TASK_UNKNOWN',
        message: `turbo.json has no task "${task}".`,
        hint: 'It has build, e2e, lint, test; name one with --task.',
        data: { task, known: ['build', 'e2e', 'lint', 'test'] },
      }),
    );
  });

  test('is not known where there are none', () => {
    expect(() => checkTask(new Map(), 'test')).toThrow(expect.objectContaining({ code: 'TASK_UNKNOWN', hint: 'Declare it there.' }));
  });
});

describe('the order of tasks', () => {
  const tasks = (all: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> => new Map(Object.entries(all));

  test.each<[title: string, turboTasks: Readonly<Record<string, readonly string[]>>, expected: readonly string[]]>([
    ['of the request, where none runs after another', { test: [], lint: [], build: [] }, ['test', 'lint', 'build']],
    ['by `dependsOn`', { test: ['build'], lint: [], build: [] }, ['build', 'test', 'lint']],
    ['of the tasks of dependencies', { test: ['^build'], lint: [], build: [] }, ['build', 'test', 'lint']],
    ['through a task that nobody asked for', { test: ['prepare'], prepare: ['^build'], lint: [], build: [] }, ['build', 'test', 'lint']],
    ['of one workspace', { test: [], 'ui#test': ['core#build'], lint: [], build: [] }, ['build', 'test', 'lint']],
    ['in a circle', { test: ['build'], build: ['test'], lint: ['test'] }, ['build', 'test', 'lint']],
  ])('%s', (_title, turboTasks, expected) => {
    expect(inRunOrder(['test', 'lint', 'build'], tasks(turboTasks))).toEqual(expected);
  });
});
