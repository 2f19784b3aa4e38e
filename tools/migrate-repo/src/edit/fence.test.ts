import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withBlock } from './fence.js';

const block = { name: 'd3', lines: ['a', 'b'] };
const FENCED = '# begin d3 (migrate-repo)\na\nb\n# end d3\n';

describe('a block', () => {
  test.each([
    ['in an empty file', '', FENCED],
    ['behind what is there', 'x\n', `x\n\n${FENCED}`],
    ['behind a last line without an end', 'x', `x\n\n${FENCED}`],
    ['in the place of the former one', `x\n# begin d3 (migrate-repo)\nold\n# end d3\ny\n`, `x\n${FENCED}y\n`],
    [
      'beside that of a longer name',
      '# begin d3-array (migrate-repo)\n# end d3-array\n',
      `# begin d3-array (migrate-repo)\n# end d3-array\n\n${FENCED}`,
    ],
    ['behind a mark that has lost its other half', '# begin d3 (migrate-repo)\nx\n', `# begin d3 (migrate-repo)\nx\n\n${FENCED}`],
    ['with the line ends of the file', 'x\r\n', `x\r\n\r\n${FENCED.replaceAll('\n', '\r\n')}`],
  ])('%s', (_, before, after) => {
    expect(withBlock(before, block)).toBe(after);
    expect(withBlock(after, block)).toBe(after);
  });

  test('in any file: a second time changes nothing, and what is around it stays', () => {
    const lines = fc.array(fc.constantFrom('', 'x', '# y', '# begin d3 (migrate-repo)', '# end other'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.array(fc.constantFrom('', 'a', '# b')), (around, own) => {
        const before = around.join('\n');
        const after = withBlock(before, { name: 'd3', lines: own });
        expect(withBlock(after, { name: 'd3', lines: own })).toBe(after);
        expect(after.startsWith(before.replace(/\n*$/, ''))).toBe(true);
      }),
    );
  });
});
