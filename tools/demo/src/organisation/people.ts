/** A person who commits, with the time zone where they are. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
  /** In git's format: `+0100`. */
  readonly zone: string;
}

export const mara: CommitAuthor = { name: 'Mara Lindqvist', email: 'mara@harbor.example', zone: '+0100' };
export const tom: CommitAuthor = { name: 'Tom Okafor', email: 'tom@harbor.example', zone: '+0000' };
/** Not ASCII, like half of the world's names. */
export const ines: CommitAuthor = { name: 'Inês Carvalho', email: 'ines@harbor.example', zone: '+0000' };
export const yuki: CommitAuthor = { name: 'Yuki Tanabe', email: 'yuki@harbor.example', zone: '+0900' };
export const bot: CommitAuthor = { name: 'harbor-bot', email: 'bot@harbor.example', zone: '+0000' };

/** Returns the environment for git, for a commit that they make at `seconds` since 1970. */
export function signatureOf({ name, email, zone }: CommitAuthor, seconds: number): Readonly<Record<string, string>> {
  const date = `@${seconds} ${zone}`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}
