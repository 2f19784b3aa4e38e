import { GPGSIG_HEADER, type RawCommit } from './raw-commit.js';

/** A commit that a real tool has written, and that a move must preserve byte for byte. */
export interface OddCommit {
  readonly title: string;
  readonly parts: Omit<RawCommit, 'tree' | 'parents'>;
  /** `refuses`: git fast-export, fast-import or filter-repo fails for it (2.39 and 2.47). */
  readonly fastImport?: 'refuses';
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const ADA = 'Ada Author <ada@example.com>';

// From the tests of filter-repo and josh, and from the problems that git's own fsck names.
export const ODD_COMMITS: readonly OddCommit[] = [
  { title: 'an empty author name', parts: { author: ' <ada@example.com> 1600000000 +0000', message: 'x\n' } },
  {
    title: 'no space before the address',
    fastImport: 'refuses',
    parts: { author: 'Ada<ada@example.com> 1600000000 +0000', message: 'x\n' },
  },
  { title: 'no address', parts: { author: 'Ada <> 1600000000 +0000', message: 'x\n' } },
  { title: 'an address that is not closed', fastImport: 'refuses', parts: { author: 'Ada <ada 1600000000 +0000', message: 'x\n' } },
  { title: 'two closing brackets', fastImport: 'refuses', parts: { author: 'Ada <ada>> 1600000000 +0000', message: 'x\n' } },
  { title: 'no date', fastImport: 'refuses', parts: { author: ADA, message: 'x\n' } },
  { title: 'no committer', fastImport: 'refuses', parts: { committer: null, message: 'x\n' } },
  { title: 'a zone of six digits', parts: { author: `${ADA} 1600000000 +051800`, message: 'x\n' } },
  { title: 'a zone without sign', fastImport: 'refuses', parts: { committer: `${ADA} 1600000000 0200`, message: 'x\n' } },
  { title: 'a date before 1970', parts: { author: `${ADA} -100000 +0000`, committer: `${ADA} -5 -0330`, message: 'x\n' } },
  { title: 'a date in the year 2106', parts: { committer: `${ADA} 4294967296 +0000`, message: 'x\n' } },
  { title: 'a date beyond 64 bits', fastImport: 'refuses', parts: { author: `${ADA} 18446744073709551999 +0000`, message: 'x\n' } },
  { title: 'two authors', parts: { headers: ['author Bob <bob@example.com> 1600000000 +0000'], message: 'x\n' } },
  {
    title: 'a name in Latin-1 with its header',
    parts: { author: latin1('J\xf6rg <j@example.com> 1 +0000'), headers: ['encoding ISO-8859-1'], message: latin1('Gr\xfc\xdfe\n') },
  },
  { title: 'bytes that are no UTF-8, without a header', parts: { message: latin1('\xff\xfe\x80 odd\n') } },
  { title: 'a message without final newline', parts: { message: 'no end' } },
  { title: 'an empty message', parts: { message: '' } },
  { title: 'a message of newlines', parts: { message: '\n\n\n' } },
  { title: 'carriage returns', parts: { message: 'one\r\ntwo\r\n' } },
  { title: 'a message that looks like headers', parts: { message: 'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent x\n' } },
  { title: 'a signature', parts: { headers: [GPGSIG_HEADER], message: 'signed\n' } },
  { title: 'a SHA-256 signature', parts: { headers: [GPGSIG_HEADER.replace('gpgsig', 'gpgsig-sha256')], message: 'signed\n' } },
  {
    title: 'a merged tag',
    parts: {
      headers: ['mergetag object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n type commit\n tag v1\n tagger Ada <a@b> 1 +0000\n \n one'],
      message: 'x\n',
    },
  },
  { title: 'headers nobody knows', parts: { headers: ['HG:extra source:abc', 'change-id zyx', 'empty '], message: 'x\n' } },
  { title: 'a header with bytes that are no UTF-8', parts: { headers: [latin1('HG:rename \xe9\xff')], message: 'x\n' } },
];
