/**
 * How messages of an imported history are changed. `exact`: every byte is unchanged. Otherwise references name their repository, closing
 * words and mentions are broken, and commit ids are the new ones.
 */
export type MessageMapping = 'exact' | QualifiedMessages;

export interface QualifiedMessages {
  /** `undefined`: unknown, so `#12` stays unchanged. */
  readonly repository: NamedRepository | undefined;
  /**
   * How older mapping versions broke mentions: with a zero-width space (version 2), or in addresses of bots too (version 3).
   * `undefined`: with a space, and in no address.
   */
  readonly mentions?: 'zero-width' | 'in-bots' | undefined;
}

/** A repository, as references to its issues name it. */
export interface NamedRepository {
  /** `owner/repository`; on GitLab the full path, including groups. */
  readonly name: string;
  /** GitLab uses `!12` for merge requests. */
  readonly forge: 'gitlab' | 'other';
}

const NAME = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)+$/;
const LONGEST_NAME = 250;

/** Returns whether a text is a valid repository name in front of `#12` and in a trailer. */
export function isRepositoryName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

/** Returns the trailer value, without what breaks mentions: `exact`, `qualified`, `qualified owner/repository` or `qualified group/project on gitlab`. */
export function formatMessageMapping(mapping: MessageMapping): string {
  if (mapping === 'exact') return 'exact';
  if (mapping.repository === undefined) return 'qualified';
  const { name, forge } = mapping.repository;
  return `qualified ${name}${forge === 'gitlab' ? ' on gitlab' : ''}`;
}

/** The inverse of `formatMessageMapping`; `undefined` if the text is not valid. */
export function parseMessageMapping(text: string): MessageMapping | undefined {
  if (text === 'exact') return 'exact';
  const match = /^qualified(?: (\S+)( on gitlab)?)?$/.exec(text);
  if (match === null) return undefined;
  const [, name, gitlab] = match;
  if (name === undefined) return { repository: undefined };
  return isRepositoryName(name) ? { repository: { name, forge: gitlab === undefined ? 'other' : 'gitlab' } } : undefined;
}
