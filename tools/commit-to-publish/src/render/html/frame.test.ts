import { expect, test } from '@jest/globals';
import { gridTable } from './frame.js';

test('a line may end after the scope of a package, and no heading breaks within a figure', () => {
  const { text } = gridTable('By package', { titles: ['package', 'P50 (95 %)'], rows: [['@acme/ui', '1.0 d']] });
  expect(text).toContain('@acme/<wbr>ui</th>');
  expect(text).toContain('P50 (<span class="whole">95 %</span>)</th>');
});
