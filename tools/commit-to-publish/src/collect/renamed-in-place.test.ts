import { expect, test } from '@jest/globals';
import type { MainLineStep } from './layout.js';
import { renamedIn } from './renamed-in-place.js';

/** Returns the renames of a main line. A commit lists the packages of the folders 0, 1, …: `-` for none, `(a)` for a private one. */
function renamesIn(...commits: readonly string[]): readonly string[] {
  const steps = commits.map((line, at) => {
    const members = line.split(' ').map((text) => ({ name: text.replace(/[()]/g, ''), isPrivate: text.startsWith('(') }));
    const layout = new Map([...members.entries()].filter(([, { name }]) => name !== '-'));
    return { commit: { id: `c${at}` }, layout };
  });
  const main = { steps: steps as unknown as readonly MainLineStep[], countedPrivate: new Set(['counted']) };
  return renamedIn(main).map(({ former, name, commit }) => `${former} ${name} ${commit}`);
}

test.each([
  ['another name in the same folder', ['a', '@acme/a', '@acme/a b'], ['a @acme/a c1']],
  ['twice', ['a', 'b', 'c'], ['a b c1', 'b c c2']],
  ['in another folder', ['a -', '- b'], []],
  ['in two commits', ['a', '-', 'b'], []],
  ['the former name goes on elsewhere', ['a -', 'b a'], []],
  ['both names were there', ['a b', 'b -'], []],
  ['the former name came back', ['a', 'b', 'a'], ['b a c2']],
  ['there and back, and then gone', ['a', 'b', 'a', '-'], []],
  ['a private package', ['(a)', 'b'], []],
  ['a private package that deployments publish', ['(counted)', 'b'], ['counted b c1']],
  ['later a private package has the former name', ['a', 'b', 'b (a)', 'b (c)'], ['a b c1']],
])('a rename is seen in one commit and one folder: %s', (_, commits, expected) => {
  expect(renamesIn(...commits)).toEqual(expected);
});
