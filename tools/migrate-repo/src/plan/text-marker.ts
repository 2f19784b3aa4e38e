import { createHash } from 'node:crypto';
import type { PullRequestText } from '@tributary/model/pull-request-host';

/** The parsed line by which `migrate-repo` recognises its texts. */
export interface TextMarker {
  /** The source's pull request that the text was written from; empty for one of a branch of `migrate-repo`. */
  readonly url: string;
  /** The last pushed commit; `planned` if there is none yet. */
  readonly tip: string;
  /** A hash of title and body as they were written. */
  readonly hash: string;
}

/**
 * The position of the line. `first`: the text comes from others, and may contain lines that look like a marker. `last`:
 * unless a bot or a person has added text.
 */
export type MarkerPosition = keyof typeof LINES;

const LINES = {
  first: /^<!-- migrate-repo pull-requests: (\S+) ([0-9a-f]+) ([0-9a-f]{16}) -->(?:\r?\n|$)/,
  last: /\n<!-- migrate-repo:() ([0-9a-f]+|planned) ([0-9a-f]{16}) -->[^\S\n]*(?=\n|$)/,
} as const;

/** The maximum length of a marker, without its address. */
export const LONGEST_MARKER = 200;

/** Returns the text with its marker. */
export function writeMarked({ title, body }: PullRequestText, { url, tip }: Pick<TextMarker, 'url' | 'tip'>): PullRequestText {
  const end = `${tip} ${hashOf(title, body)} -->`;
  return { title, body: url === '' ? `${body}\n\n<!-- migrate-repo: ${end}\n` : `<!-- migrate-repo pull-requests: ${url} ${end}\n${body}` };
}

/** Returns the marker of a body; `undefined` if `migrate-repo` did not write it, or somebody has removed the marker. */
export function readMarker(body: string, place: MarkerPosition): TextMarker | undefined {
  const [, url, tip, hash] = LINES[place].exec(body) ?? [];
  return url === undefined || tip === undefined || hash === undefined ? undefined : { url, tip, hash };
}

/** Whether title and body are unchanged since `migrate-repo` wrote them. */
export function isUntouched({ title, body }: PullRequestText, place: MarkerPosition): boolean {
  return readMarker(body, place)?.hash === hashOf(title, body.replace(LINES[place], '').replaceAll('\r\n', '\n'));
}

/** Returns an edited text with only the commit in its marker updated. */
export function renewMarker({ title, body }: PullRequestText, tip: string, place: MarkerPosition): PullRequestText {
  const renewed = (line: string): string => line.replace(/(?:[0-9a-f]+|planned)(?= [0-9a-f]{16} -->)/, tip);
  return { title, body: body.replace(LINES[place], renewed) };
}

/** Hashes a text, without trailing white space, which a forge may remove. */
function hashOf(title: string, text: string): string {
  return createHash('sha256').update(`${title.trim()}\n${text.trimEnd()}`).digest('hex').slice(0, 16);
}
