import { describe, expect, test } from '@jest/globals';
import { parseObjectId } from '@tributary/model/ids';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { faultWarnings, type ObjectFault, refuseFaults } from './object-faults.js';

const id = (digit: string): ObjectFault['examples'][number] => parseObjectId(digit.repeat(40));
const url = parseRepoUrl('https://example.com/lib.git', (path) => {
  throw new Error(path);
});

const ZONE: ObjectFault = { kind: 'badTimezone', count: 4, examples: [id('1'), id('2'), id('3')] };
const TAGGER: ObjectFault = { kind: 'missingTaggerEntry', count: 1, examples: [id('4')] };

describe('what a server refuses stops the run', () => {
  const judge = (faults: readonly ObjectFault[], ...allowed: readonly string[]): void =>
    refuseFaults(faults, { url, allowed: new Set(allowed) });

  test('with kinds, counts and some of them', () => {
    expect(() => judge([ZONE, TAGGER])).toThrow(
      'https://example.com/lib.git has malformed objects, which servers with receive.fsckObjects reject: 4 badTimezone (1111111111, 2222222222, 3333333333, …).',
    );
  });

  test('unless it is allowed', () => expect(() => judge([ZONE, TAGGER], 'badtimezone')).not.toThrow());
  test('also what this git is newer for', () => expect(() => judge([{ ...ZONE, kind: 'brandNew' }], 'badtimezone')).toThrow('4 brandNew'));
  test('and what it only warns of does not', () => expect(() => judge([TAGGER])).not.toThrow());
});

test('what comes all the same is told', () => {
  expect(faultWarnings('lib', [TAGGER, ZONE])).toEqual([
    'lib has malformed objects, which you allowed; servers with receive.fsckObjects reject them: 4 badTimezone (1111111111, 2222222222, 3333333333, …).',
    'lib has malformed objects, which git warns about but servers accept: 1 missingTaggerEntry (4444444444).',
  ]);
  expect(faultWarnings('lib', [])).toEqual([]);
});
