import { expect, test } from '@jest/globals';
import { FaultReader } from './fault-reader.js';

const id = (digit: string): string => digit.repeat(40);

test('lines of git are read in any pieces, and those of a server are not believed', () => {
  const text = [
    'Receiving objects:  10% (1/10)\r',
    `warning: object ${id('1')}: badTimezone: invalid author/committer line - bad time zone\n`,
    `remote: warning: object ${id('9')}: badEmail: from the other side        \n`,
    `Receiving objects:  60% (6/10)\rwarning: object ${id('2')}: badTimezone: x\n`,
    `error in commit ${id('3')}: badTimezone: x\nwarning in tag ${id('4')}: missingTaggerEntry: x\n`,
    'dangling commit 1\n',
  ].join('');
  for (const size of [1, 7, 64, 10_000]) {
    const reader = new FaultReader();
    for (let at = 0; at < text.length; at += size) reader.take(text.slice(at, at + size));
    expect(reader.result()).toEqual([
      { kind: 'badTimezone', count: 3, examples: [id('1'), id('2'), id('3')] },
      { kind: 'missingTaggerEntry', count: 1, examples: [id('4')] },
    ]);
  }
});
