import { expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import { ODD_COMMITS } from '@tributary/test-repo/odd-commits';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import fc from 'fast-check';
import { parseCommit } from './commit.js';
import { CommitBodies } from './commit-bodies.js';
import { moveTagBody, undoCommitBody, undoTagBody } from './move-body.js';
import { QUALIFIED } from './moving.fixture.js';

const line = fc.constantFrom(
  ...['author Ada <a@b> 1 +0000', 'committer Ada <a@b> 1 +0000', 'tagger Ada <a@b> 1 +0000', 'encoding UTF-8', 'encoding Big5'],
  ...['gpgsig -----BEGIN', 'gpgsig', 'gpgsig-sha256 x', 'gpgsigx y', 'mergetag object x', ' continued', ' ', ' tributary-message no'],
  ...[
    'tributary-message Fixes #1',
    'tributary-gpgsig x',
    'tributary-',
    'tributary-tributary-message x',
    'tributary-signature s',
    'x\rgpgsig y',
  ],
);
const text = fc.constantFrom(
  ...[
    '',
    '\n',
    'Fixes #12\n',
    'Fixes #12',
    '\n\n@ada\n\n',
    'one\r\n#12\r\n',
    'nothing\n',
    '#12\0',
    '\xff #12',
    ' #12\n tributary-message x\n',
  ],
  ...[
    'v1\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n',
    '-----BEGIN SSH SIGNATURE-----',
    'x -----BEGIN PGP SIGNATURE-----\n',
  ],
  ...['a\n-----BEGIN PGP MESSAGE-----\nb\n-----BEGIN PGP SIGNATURE-----\nc', '-----BEGIN PGP SIGNATURE-----\n\0'],
);
const anyRest = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', ''), fc.option(text, { nil: undefined }))
  .map(([lines, end, message]) => lines.map((one) => `${one}\n`).join('') + (message === undefined ? end : `\n${message}`))
  .map((rest) => Buffer.from(rest, 'latin1'));
const move = (rest: Buffer): Buffer => new CommitBodies(QUALIFIED).move({ id: 'f'.repeat(40) as never, parents: [], rest }).rest;

test('undone, everything behind the parents of a commit, or behind the name of a tag, is to the byte what it was, however often it was moved', () => {
  fc.assert(
    fc.property(anyRest, (rest) => {
      const twice = move(move(rest));
      expect(undoCommitBody(undoCommitBody(twice)).toString('latin1')).toBe(rest.toString('latin1'));
      const tag = moveTagBody(moveTagBody(rest).rest).rest;
      expect(undoTagBody(undoTagBody(tag)).toString('latin1')).toBe(rest.toString('latin1'));
      expect(twice.toString('latin1').split('\n\n')[0]).not.toMatch(/(^|\n)(gpgsig|gpgsig-sha256|mergetag)( |\n|$)/);
    }),
    { numRuns: cases(3000) },
  );
});

test.each(ODD_COMMITS.map(({ title, parts }) => [title, parts] as const))(
  'undone, a commit of this kind is what it was: %s',
  (_, parts) => {
    const { rest } = parseCommit(Buffer.from(formatRawCommit({ tree: 'f'.repeat(40), ...parts })));
    expect(undoCommitBody(move(rest)).equals(rest)).toBe(true);
  },
);

test('where things stand afterwards', () => {
  const before = 'author A\ncommitter C\ngpgsig -----BEGIN\n \n x\nencoding UTF-8\ntributary-message old\n\nFixes #12\n\nThanks.\n';
  expect(move(Buffer.from(before)).toString()).toBe(
    'author A\ncommitter C\ntributary-gpgsig -----BEGIN\n \n x\nencoding UTF-8\ntributary-tributary-message old\n' +
      'tributary-message Fixes #12\n \n Thanks.\n \n\nFixes the issue acme/x#12\n\nThanks.\n',
  );
  const tag = 'tagger A\n\nOne\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n';
  expect(moveTagBody(Buffer.from(tag))).toEqual({
    rest: Buffer.from('tagger A\ntributary-signature -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n \n\nOne\n'),
    signatures: 1,
  });
});

test('a signature of a tag begins where git finds it: at the last line that begins like one', () => {
  const message = 'a\n-----BEGIN PGP MESSAGE-----\nb\n-----BEGIN PGP SIGNATURE-----\nc';
  const { rest } = moveTagBody(Buffer.from(`tagger A\n\n${message}`));
  expect(rest.toString()).toMatch(/\n\na\n-----BEGIN PGP MESSAGE-----\nb\n$/);
});
