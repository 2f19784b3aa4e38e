/**
 * How the messages of an imported history come: `exact`: every byte as it was. Otherwise references name their repository, closing words and
 * mentions are broken, and ids of commits are the new ones.
 */
export type MessageMapping = 'exact' | QualifiedMessages;

export interface QualifiedMessages {
  /** `undefined`: it is not known, so `#12` stays as it is. */
  readonly repository: NamedRepository | undefined;
}

/** A repository, as references to its issues name it. */
export interface NamedRepository {
  /** `owner/repository`; on GitLab the whole path, groups included. */
  readonly name: string;
  /** GitLab knows `!12` for merge requests. */
  readonly forge: 'gitlab' | 'other';
}

const NAME = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)+$/;
const LONGEST_NAME = 250;

/** Whether a text can stand in front of `#12` and in a trailer. */
export function isRepositoryName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

/** The text of a trailer: `exact`, `qualified`, `qualified owner/repository` or `qualified group/project on gitlab`. */
export function formatMessageMapping(mapping: MessageMapping): string {
  if (mapping === 'exact') return 'exact';
  if (mapping.repository === undefined) return 'qualified';
  const { name, forge } = mapping.repository;
  return `qualified ${name}${forge === 'gitlab' ? ' on gitlab' : ''}`;
}

/** The inverse of `formatMessageMapping`; `undefined` for another text. */
export function parseMessageMapping(text: string): MessageMapping | undefined {
  if (text === 'exact') return 'exact';
  const match = /^qualified(?: (\S+)( on gitlab)?)?$/.exec(text);
  if (match === null) return undefined;
  const [, name, gitlab] = match;
  if (name === undefined) return { repository: undefined };
  return isRepositoryName(name) ? { repository: { name, forge: gitlab === undefined ? 'other' : 'gitlab' } } : undefined;
}
