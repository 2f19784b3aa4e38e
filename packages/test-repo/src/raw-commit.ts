/** Text is stored as UTF-8, bytes unchanged. */
export type TextOrBytes = string | Uint8Array;

/** The parts of a commit object, as git stores them; each may be malformed. */
export interface RawCommit {
  readonly tree: string;
  readonly parents?: readonly string[];
  /** The text after the word: `Ada Author <ada@example.com> 1600000000 +0000`; `null` omits the line. */
  readonly author?: TextOrBytes | null;
  readonly committer?: TextOrBytes | null;
  /**
   * Whole lines after the committer: `encoding ISO-8859-1`, `gpgsig -----BEGIN…
   *  continued`, or garbage.
   */
  readonly headers?: readonly TextOrBytes[];
  /** Everything after the empty line, byte for byte: no newline is added. */
  readonly message: TextOrBytes;
}

const PERSON = 'Ada Author <ada@example.com> 1600000000 +0000';

/** The signature header of a commit, in the format of gpg; no key verifies it. */
export const GPGSIG_HEADER = [
  'gpgsig -----BEGIN PGP SIGNATURE-----',
  '',
  'iQEzBAABCAAdFiEEexample',
  '=abcd',
  '-----END PGP SIGNATURE-----',
].join('\n ');

/** Returns the content of a commit object, for `TempRepo.writeObject('commit', …)`. */
export function formatRawCommit(commit: RawCommit): Uint8Array {
  const person = (word: string, value: TextOrBytes | null | undefined): TextOrBytes[] =>
    value === null ? [] : [Buffer.concat([Buffer.from(`${word} `), Buffer.from(value ?? PERSON)])];
  const lines = [
    `tree ${commit.tree}`,
    ...(commit.parents ?? []).map((parent) => `parent ${parent}`),
    ...person('author', commit.author),
    ...person('committer', commit.committer),
    ...(commit.headers ?? []),
  ];
  return Buffer.concat([...lines, '', commit.message].flatMap((line, at) => [Buffer.from(at === 0 ? '' : '\n'), Buffer.from(line)]));
}
