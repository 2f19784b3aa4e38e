/** The parts of a commit object, as git stores them; every one may be malformed. */
export interface RawCommit {
  readonly tree: string;
  readonly parents?: readonly string[];
  /** What stands after the word: `Ada Author <ada@example.com> 1600000000 +0000`; `null` leaves the line out. */
  readonly author?: string | null;
  readonly committer?: string | null;
  /** Whole lines after the committer: `encoding ISO-8859-1`, `gpgsig -----BEGIN…\n continued`, or rubbish. */
  readonly headers?: readonly string[];
  /** Everything after the empty line, byte for byte: no newline is added. */
  readonly message: string | Uint8Array;
}

const PERSON = 'Ada Author <ada@example.com> 1600000000 +0000';

/** The signature header of a commit, in the shape that gpg makes; it verifies with no key. */
export const GPGSIG_HEADER = [
  'gpgsig -----BEGIN PGP SIGNATURE-----',
  '',
  'iQEzBAABCAAdFiEEexample',
  '=abcd',
  '-----END PGP SIGNATURE-----',
].join('\n ');

/** The content of a commit object, for `TempRepo.writeObject('commit', …)`. */
export function formatRawCommit(commit: RawCommit): Uint8Array {
  const person = (word: string, value: string | null | undefined): string[] => (value === null ? [] : [`${word} ${value ?? PERSON}`]);
  const lines = [
    `tree ${commit.tree}`,
    ...(commit.parents ?? []).map((parent) => `parent ${parent}`),
    ...person('author', commit.author),
    ...person('committer', commit.committer),
    ...(commit.headers ?? []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`), Buffer.from(commit.message)]);
}
