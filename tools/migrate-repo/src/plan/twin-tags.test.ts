import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { oneOfEach } from './twin-tags.js';

const [C, D, TAG, OTHER] = ['c', 'd', 'a', 'b'].map((digit) => digit.repeat(40) as ObjectId) as [ObjectId, ObjectId, ObjectId, ObjectId];
const light = (name: string, id: ObjectId): { name: string; newName: string; id: ObjectId } => ({ name, newName: 'pad@3.0.0', id });
const annotated = (name: string, id: ObjectId, target: ObjectId): ReturnType<typeof light> & { target: ObjectId } => ({
  ...light(name, id),
  target,
});

test.each([
  ['two on the same commit: the one that is called so', [light('v3.0.0', C), light('pad@3.0.0', C)], ['pad@3.0.0']],
  ['the one with a message', [annotated('v3.0.0', TAG, C), light('pad@3.0.0', C)], ['v3.0.0']],
  ['of two with messages the one that is called so', [annotated('v3.0.0', TAG, C), annotated('pad@3.0.0', OTHER, C)], ['pad@3.0.0']],
  ['of two that are alike the first', [light('3.0.0', C), light('v3.0.0', C)], ['3.0.0']],
  ['both, where they lie on different commits', [light('v3.0.0', C), light('pad@3.0.0', D)], ['v3.0.0', 'pad@3.0.0']],
  ['both, where they get different names', [light('v3.0.0', C), { ...light('v3', C), newName: 'pad@3' }], ['v3.0.0', 'v3']],
] as const)('%s', (_title, tags, expected) => {
  expect(oneOfEach(tags).map(({ name }) => name)).toEqual(expected);
});
