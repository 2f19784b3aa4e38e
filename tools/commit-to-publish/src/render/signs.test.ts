import { expect, test } from '@jest/globals';
import { sparkline } from './signs.js';

test.each<[values: readonly (number | undefined)[], unicode: string, ascii: string]>([
  [[], '', ''],
  [[undefined, undefined], '', ''],
  [[0, 0], '▁▁', '11'],
  [[8], '█', '8'],
  [[1, undefined, 8], '▁ █', '1 8'],
  [[4, 8, 2], '▄█▂', '482'],
])('%p', (values, unicode, ascii) => {
  expect(sparkline(values, 'unicode')).toBe(unicode);
  expect(sparkline(values, 'ascii')).toBe(ascii);
});
