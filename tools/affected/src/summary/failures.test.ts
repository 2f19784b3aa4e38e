import { describe, expect, test } from '@jest/globals';
import { asName, failing, HOSTILE } from '../report/failed-pieces.fixture.js';
import type { FailedPiece } from '../report/failed-pieces.js';
import { type FailuresRoom, failuresIn } from './failures.js';
import { skeletonOf } from './markdown-skeleton.fixture.js';

const ROOM: FailuresRoom = { bytes: 10_000, tests: 2, excerpt: { lines: 3, characters: 100 } };
const piece: FailedPiece = { shard: '01', name: '@acme/ui', exit: 1, failures: [], log: 'FAIL\nKilled\n' };

test('the first tests of a piece with what they say, or the end of its log', () => {
  const failures = [failing('adds', 'expected 1\nreceived 2'), failing('adds more', '', { line: null }), failing('adds most', 'x')];
  const silent = { ...piece, name: 'app (1 of 2)', exit: 137, log: '' };
  expect(failuresIn([{ ...piece, failures }, piece, silent], ROOM)).toBe(`**Failed:** \`@acme/ui\` in shard 01, exit code 1

\`adds\` at \`packages/ui/a.test.ts:7\`

\`\`\`
expected 1
received 2
\`\`\`

\`adds more\` at \`packages/ui/a.test.ts\`

and 1 or more other failed tests of \`@acme/ui\`.

**Failed:** \`@acme/ui\` in shard 01, exit code 1

\`\`\`
FAIL
Killed
\`\`\`

**Failed:** \`app (1 of 2)\` in shard 01, exit code 137. What it printed is in the log of that shard.`);
  expect(failuresIn([], ROOM)).toBe('');
});

test('takes no more bytes than it may, and counts the pieces that are left out', () => {
  for (const sign of ['x', '`', '💥', '\n`', '\u2028']) {
    const failures = [failing(asName(sign.repeat(5000)), sign.repeat(5000))];
    const text = failuresIn(Array(500).fill({ ...piece, failures }), ROOM);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ROOM.bytes);
    expect(text).toMatch(/\n\n\d+ more failed pieces\.$/);
  }
});

describe('nothing that a test says means anything to Markdown', () => {
  const shown = (text: string, name: string): string =>
    failuresIn(
      [
        { ...piece, failures: [failing(name, text, { file: name })] },
        { ...piece, log: text },
      ],
      { ...ROOM, bytes: 100_000, excerpt: { lines: 50, characters: 5000 } },
    );
  const plain = skeletonOf(shown('x', 'x'));

  test.each(HOSTILE.filter(([, text]) => text !== ''))('%s', (_, text) => {
    const markdown = shown(text, asName(text));
    expect(skeletonOf(markdown)).toEqual(plain);
    expect(markdown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u);
  });
});
