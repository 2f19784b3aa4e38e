import { expect, test } from '@jest/globals';
import { readWorkflow } from './workflow.js';
import { readYaml } from './yaml-value.js';

// The fuzzer (fuzz.long.test.ts) found these. The second one ended the whole process.
test.each([['{'], ['? '], ['- ']])('a workflow with endless %p has a problem', (sign) => {
  expect(readWorkflow(`on: push\njobs:\n  ${sign.repeat(20_000)}`)).toEqual({ problem: 'it is nested too deeply to be read' });
});

test.each<[sentence: string, text: string, read: unknown]>([
  ['numbers are texts', 'a: 3.10\n', { value: { a: '3.10' } }],
  ['quoted ones keep their quotes', 'a: "18"\nb: \'18\'\n', { value: { a: "'18'", b: "'18'" } }],
  ['other quotes do not matter', 'a: "x y"\nb: x y\n', { value: { a: 'x y', b: 'x y' } }],
  ['anchors and merged keys', 'a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n', { value: { a: { x: '1', y: '2' }, b: { x: '1', y: '3' } } }],
  ['an anchor that contains itself', 'a: &a [*a]\n', { problem: 'its aliases have no end' }],
  ['a key twice', 'a: 1\nb: 2\na: 3\n', { problem: 'line 3: Map keys must be unique' }],
  ['one of a nested mapping', 'a:\n  b: 1\n  b: 2\n', { problem: 'line 3: Map keys must be unique' }],
  ['a marker of a merge', 'a: 1\n<<<<<<< ours\n', { problem: 'line 2 is a conflict marker' }],
  ['an unknown tag', 'a: !b 1\n', { problem: 'line 1: Unresolved tag: !b' }],
  ['two documents', 'a: 1\n---\nb: 1\n', { problem: expect.stringContaining('line 2: ') }],
  ['no mapping', '- a\n', { problem: 'it is not a YAML mapping' }],
  ['nothing', '', { problem: 'it is not a YAML mapping' }],
])('YAML: %s', (_, text, read) => expect(readYaml(text)).toEqual(read));
