import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Dice } from '@tributary/test-repo/dice';
import { rewriteMessage } from './rewrite-message.js';

const PIECES = [
  ...[
    '#12',
    'GH-3',
    '!7',
    'fixes',
    'Closes:',
    'resolve',
    'issue',
    'issues',
    '@ada',
    '@acme/ui',
    '@babel/core',
    'acme/ui#4',
    'C#7',
    '&#39;',
  ],
  ...[
    '0a2b4c6',
    '0a2b4c6d89',
    'defaced',
    'https://a.example/b#1',
    'https://a.example/issues/9',
    'ada@example.com',
    '1+a[bot]@b.example',
    '[',
    '](',
    ')',
    '(',
  ],
  ...[
    '`',
    '```',
    '~~~',
    '\n',
    '\n\n',
    '    ',
    '\t',
    ' ',
    ' ',
    ' ',
    '.',
    '-',
    '..',
    'word',
    '\xff',
    '\xc3\xa4',
    '\r\n',
    '@',
    '#',
    '/',
    ':',
    '_',
  ],
];

/** Yields messages that hold everything the rules look at. */
function* messages(): Generator<string> {
  const dice = new Dice(20);
  for (let count = 0; count < 5000; count++) yield Array.from({ length: 1 + dice.below(20) }, () => dice.pick(PIECES)).join('');
}

test.each([
  [2, 'zero-width', 'ae7be314b2721752a1f7e7e45443329efaf3ff0fc63954214ca37e6b171bcbec'],
  [3, 'in-bots', '7d0df0a30c2b678ae310d2f56860f818667cc59cc44ddbafa6f4e37928ad2c82'],
  [4, undefined, '4740f24921542a6952567ed7b5bdecd19e167a8946bbcd11a8fbdf4edab64be2'],
] as const)(
  'the rules of mapping version %d stay as they are: another rule needs another version, or imports cannot be proven any more',
  (_, mentions, expected) => {
    const hash = createHash('sha256');
    for (const forge of ['gitlab', 'other', undefined] as const) {
      const repository = forge === undefined ? undefined : { name: 'acme/ui', forge };
      const newId = (quoted: string): string => 'f'.repeat(quoted.length);
      for (const text of messages())
        hash.update(`${rewriteMessage({ text, encoding: undefined }, { repository, mentions, newId })?.text}\0`);
    }
    expect(hash.digest('hex')).toBe(expected);
  },
);
