import { expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import type { NeededTask } from '../reference.js';
import { readSettings } from './read-settings.js';

test.each<[file: string, settings: object, expected: readonly NeededTask[]]>([
  [
    'turbo.json',
    { tasks: { test: { dependsOn: ['^build', '@acme/ui#lint'] } } },
    [needed('test', 'build'), { ...needed('test', 'lint'), in: '@acme/ui' }],
  ],
  ['turbo.json', { tasks: { '@acme/ui#test': { dependsOn: ['//#lint'] } } }, [{ ...needed('test', 'lint'), of: '@acme/ui', in: '//' }]],
  ['turbo.json', { tasks: { 'e2e#test': { dependsOn: ['web#build'] } } }, [{ ...needed('test', 'build'), of: 'e2e', in: 'web' }]],
  ['turbo.json', { pipeline: { test: { dependsOn: ['lint'], outputs: ['x'], inputs: ['y'] } } }, [needed('test', 'lint')]],
  ['turbo.json', { tasks: { dev: { with: ['api#serve'] } } }, [{ ...needed('dev', 'serve'), in: 'api' }]],
  ['nx.json', { targetDefaults: { test: { dependsOn: ['^build', { target: 'lint', params: 'forward' }] } } }, both()],
  ['project.json', { targets: { test: { dependsOn: ['^build', 'lint'], executor: 'x' } } }, both()],
  ['package.json', { nx: { targets: { test: { dependsOn: ['^build', 'lint'] } } } }, both()],
  ['package.json', { wireit: { test: { command: 'x', dependencies: ['../ui:build', { script: 'lint', cascade: 'no' }] } } }, both()],
])('the task runner of %s with %j runs tasks for others', (file, settings, expected) => {
  expect(readSettings(`packages/a/${file}` as RepoPath, JSON.stringify(settings)).tasks).toEqual(expected);
});

test('dependencies of a package are no tasks', () => {
  const manifest = { name: 'wireit', dependencies: { wireit: '1.0.0' }, tasks: ['x'] };
  expect(readSettings('package.json' as RepoPath, JSON.stringify(manifest)).tasks).toBeUndefined();
});

function needed(task: string, needs: string): NeededTask {
  return { task, needs, line: 1 };
}

function both(): readonly NeededTask[] {
  return [needed('test', 'build'), needed('test', 'lint')];
}
