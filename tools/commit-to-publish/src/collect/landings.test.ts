import { expect, test } from '@jest/globals';
import { landingsOf } from './landings.js';

/** Reads lines such as `b: a, x`: commit b with the parents a and x. */
function history(...lines: readonly string[]): readonly { readonly id: string; readonly parents: readonly string[] }[] {
  return lines.map((line) => {
    const [id = '', parents = ''] = line.split(':');
    return { id, parents: parents.split(',').flatMap((parent) => (parent.trim() === '' ? [] : [parent.trim()])) };
  });
}

test('a history of its own lands with the merge that joins it, and the branch of the merge with it', () => {
  const contained = history('x', 'y: x', 'a', 'work: a', 'import: work, y', 'b: a', 'c: b, import', 'd: c');
  expect(landingsOf(['a', 'b', 'c', 'd'], contained)).toEqual(
    new Map([
      ['y', 2],
      ['x', 2],
    ]),
  );
});

test('a second import of the same source brings only what is new, and a feature branch is none', () => {
  const contained = history('x', 'a', 'b: a, x', 'y: x', 'c: b, y', 'feature: b', 'd: c, feature');
  expect(landingsOf(['a', 'b', 'c', 'd'], contained)).toEqual(
    new Map([
      ['x', 1],
      ['y', 2],
    ]),
  );
});
