import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatTagObject, parseTagObject } from './tag-object.js';

const COMMIT = '1'.repeat(40);
const TAGGER = 'tagger Ada Author <ada@example.com> 1600000000 +0000';

test.each([
  ['an ordinary one', `object ${COMMIT}\ntype commit\ntag v1\n${TAGGER}\n\nOne\n`],
  [
    'a signed one',
    `object ${COMMIT}\ntype commit\ntag v1\n${TAGGER}\n\nOne\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n`,
  ],
  ['one without tagger, as git wrote them before 2005', `object ${COMMIT}\ntype commit\ntag v0\n\nold\n`],
  ['one without message', `object ${COMMIT}\ntype commit\ntag v1\n${TAGGER}\n`],
  ['one that ends behind its name', `object ${COMMIT}\ntype commit\ntag v1\n`],
  ['one without final newline', `object ${COMMIT}\ntype tree\ntag v1\n${TAGGER}\n\nno end`],
  ['one whose name is no UTF-8', `object ${COMMIT}\ntype blob\ntag caf\xe9\n${TAGGER}\n\n\xff\n`],
  ['one with an empty name', `object ${COMMIT}\ntype tag\ntag \n${TAGGER}\n\nx\n`],
  ['one with a very long name', `object ${COMMIT}\ntype commit\ntag ${'n'.repeat(5000)}\n${TAGGER}\n\nx\n`],
  ['one of a SHA-256 repository', `object ${'a'.repeat(64)}\ntype commit\ntag v1\n${TAGGER}\n\nx\n`],
])('a tag that is taken apart and put together again is the same to the byte: %s', (_title, text) => {
  const content = Buffer.from(text, 'latin1');
  expect(formatTagObject(parseTagObject(content))).toEqual(content);
});

test('whatever bytes follow the name of a tag, they stay', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
      const content = Buffer.concat([Buffer.from(`object ${COMMIT}\ntype commit\ntag v1\n`), rest]);
      expect(parseTagObject(content)).toMatchObject({ object: COMMIT, type: 'commit', name: 'v1', rest: Buffer.from(rest) });
      expect(formatTagObject(parseTagObject(content))).toEqual(content);
    }),
  );
});

test('what does not start as a tag is none', () => {
  expect(() => parseTagObject(Buffer.from(`tree ${COMMIT}\n`))).toThrow('does not start with object, type and tag');
});
