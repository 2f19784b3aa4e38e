import { expect, test } from '@jest/globals';
import { parseRestored } from './turbo-outputs.js';

const OUT = { outputs: ['dist/**'] };

test.each<[what: string, root: object, own: object | undefined, restored: boolean]>([
  ['a task with outputs', { build: OUT }, undefined, true],
  ['no outputs', { build: {} }, undefined, false],
  ['only exclusions', { build: { outputs: ['!dist/**'] } }, undefined, false],
  ['no cache', { build: { ...OUT, cache: false } }, undefined, false],
  ['outputs for the workspace', { build: {}, 'ui#build': OUT }, undefined, true],
  ['none for the workspace', { build: OUT, 'ui#build': { outputs: [] } }, undefined, false],
  ['a file of the workspace that adds nothing', { build: OUT }, { extends: ['//'], tasks: {} }, true],
  ['its own outputs', { build: {} }, { extends: ['//'], tasks: { build: OUT } }, true],
  ['no own outputs', { build: OUT }, { extends: ['//'], tasks: { build: { outputs: [] } } }, false],
  ['its own ban on the cache', { build: OUT }, { extends: ['//'], tasks: { build: { cache: false } } }, false],
  ['inheritance that is not supported', { build: OUT }, { extends: ['//', 'base'], tasks: {} }, false],
  ['opting out', { build: OUT }, { extends: ['//'], tasks: { build: { extends: false } } }, false],
])('%s', (_, root, own, restored) => {
  const files = own === undefined ? [] : [{ workspace: 'ui', file: 'packages/ui/turbo.json', text: JSON.stringify(own) }];
  expect(parseRestored(JSON.stringify({ tasks: root }), files)('ui', 'build')).toBe(restored);
});
