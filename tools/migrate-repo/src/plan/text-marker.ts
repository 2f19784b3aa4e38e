import { createHash } from 'node:crypto';
import type { PullRequestText } from '@tributary/model/pull-request-host';

/** The line of a body by which `migrate-repo` knows it again, taken apart. */
export interface TextMarker {
  /** The pull request of the source that the text retells; empty for one of a branch of `migrate-repo`. */
  readonly url: string;
  /** The last commit that was pushed; `planned`: none yet. */
  readonly tip: string;
  /** Of title and body as they were written. */
  readonly hash: string;
}

/** Where the line stands. `first`: the text is a stranger's, and what it says is no marker. `last`: unless a bot or a person has added to the text. */
export type MarkerPlace = keyof typeof LINES;

const LINES = {
  first: /^<!-- migrate-repo pull-requests: (\S+) ([0-9a-f]+) ([0-9a-f]{16}) -->(?:\r?\n|$)/,
  last: /\n<!-- migrate-repo:() ([0-9a-f]+|planned) ([0-9a-f]{16}) -->[^\S\n]*(?=\n|$)/,
} as const;

/** Room for any of them without its address. */
export const LONGEST_MARKER = 200;

/** The text with its marker. */
export function writeMarked({ title, body }: PullRequestText, { url, tip }: Pick<TextMarker, 'url' | 'tip'>): PullRequestText {
  const end = `${tip} ${hashOf(title, body)} -->`;
  return { title, body: url === '' ? `${body}\n\n<!-- migrate-repo: ${end}\n` : `<!-- migrate-repo pull-requests: ${url} ${end}\n${body}` };
}

/** `undefined`: `migrate-repo` did not write the body, or somebody has taken the marker away. */
export function readMarker(body: string, place: MarkerPlace): TextMarker | undefined {
  const [, url, tip, hash] = LINES[place].exec(body) ?? [];
  return url === undefined || tip === undefined || hash === undefined ? undefined : { url, tip, hash };
}

/** Whether title and body are still what `migrate-repo` wrote: nobody has edited them. */
export function isUntouched({ title, body }: PullRequestText, place: MarkerPlace): boolean {
  return readMarker(body, place)?.hash === hashOf(title, body.replace(LINES[place], '').replaceAll('\r\n', '\n'));
}

/** A text that somebody has edited, with nothing new but the commit in its marker. */
export function renewMarker({ title, body }: PullRequestText, tip: string, place: MarkerPlace): PullRequestText {
  const renewed = (line: string): string => line.replace(/(?:[0-9a-f]+|planned)(?= [0-9a-f]{16} -->)/, tip);
  return { title, body: body.replace(LINES[place], renewed) };
}

/** Blanks at its end are none that a forge keeps for certain. */
function hashOf(title: string, text: string): string {
  return createHash('sha256').update(`${title.trim()}\n${text.trimEnd()}`).digest('hex').slice(0, 16);
}
