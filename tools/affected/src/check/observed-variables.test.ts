import { expect, test } from '@jest/globals';
import { observedAt } from '../observe/observed.fixture.js';
import { variablesHashedBy } from '../plan/hashed-variables.js';
import { findObservedVariables } from './observed-variables.js';
import { projectOf } from './project.fixture.js';

const { project } = projectOf({ 'packages/app/package.json': { name: 'app' }, 'packages/lib/package.json': { name: 'lib' } });

/** The names that are reported for `app`; `read` and `unset`: what its tests read. */
function reported(
  turbo: object,
  read: readonly string[],
  { unset = [], own }: { unset?: readonly string[]; own?: object } = {},
): readonly string[] {
  const files = own === undefined ? [] : [{ workspace: 'app', file: 'packages/app/turbo.json', text: JSON.stringify(own) }];
  const hashed = variablesHashedBy(JSON.stringify(turbo), files);
  const before = (id: string): readonly string[] => (id === 'app#test' ? ['lib#build'] : []);
  const run = observedAt('a'.repeat(40), 'app', { variables: { read, unset, all: true } });
  const found = findObservedVariables(project, [run, observedAt('b'.repeat(40), 'app')], (task) => ({
    hashesVariable: (workspace, name) => [`${workspace}#${task}`, ...before(`${workspace}#${task}`)].some((id) => hashed(id, name)),
  }));
  return found.flatMap(({ names }) => names);
}

test.each<[string, object, object | undefined, readonly string[]]>([
  ['nothing', {}, undefined, ['API_KEY', 'API_URL']],
  ['a variable for the task', { tasks: { test: { env: ['API_KEY'] } } }, undefined, ['API_URL']],
  ['a variable for the task of the workspace', { tasks: { 'app#test': { env: ['API_URL'] } } }, undefined, ['API_KEY']],
  ['a pattern', { tasks: { test: { env: ['API_*'] } } }, undefined, []],
  ['a pattern, but for one', { tasks: { test: { env: ['API_*', '!API_KEY'] } } }, undefined, ['API_KEY']],
  ['for all tasks', { globalEnv: ['API_KEY', 'API_URL'], tasks: {} }, undefined, []],
  ['for a task that runs before', { tasks: { build: { env: ['API_*'] } } }, undefined, []],
  ['for another task', { tasks: { lint: { env: ['API_*'] } } }, undefined, ['API_KEY', 'API_URL']],
  ['for another workspace', { tasks: { 'other#test': { env: ['API_*'] } } }, undefined, ['API_KEY', 'API_URL']],
  ['in its own file', { tasks: { test: {} } }, { extends: ['//'], tasks: { test: { env: ['API_KEY'] } } }, ['API_URL']],
  [
    'and passes them on',
    { globalPassThroughEnv: ['API_KEY'], tasks: { test: { passThroughEnv: ['API_URL'] } } },
    undefined,
    ['API_KEY', 'API_URL'],
  ],
])('turborepo hashes %s', (_, turbo, own, names) => {
  expect(
    reported(turbo, ['API_URL', 'API_KEY', 'HOME', 'TURBO_HASH'], { unset: ['DEBUG'], ...(own === undefined ? {} : { own }) }),
  ).toEqual(names);
});
