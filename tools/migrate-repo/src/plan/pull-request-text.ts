import { createHash } from 'node:crypto';
import type { PullRequest, PullRequestText } from '@tributary/model/pull-request-host';
import { breakMentions } from '../messages/mentions.js';
import { rewriteMessage } from '../messages/rewrite-message.js';

/** What the text of a pull request is written anew from. */
export interface TextContext {
  /** Of the source: `acme/left-pad`. */
  readonly repository: string;
  /** Who owns the monorepo: its teams could be mentioned too. */
  readonly owner: string;
  /** The package. */
  readonly name: string;
  /** The last commit of the rewritten branch. */
  readonly tip: string;
  /** The new id of a commit that the text quotes; `undefined`: it names none. */
  readonly newId: (quoted: string) => string | undefined;
}

/** The first line of the body of a pull request that was opened by `migrate-repo`, taken apart. */
export interface Marker {
  /** Of the pull request of the source. */
  readonly url: string;
  /** The last commit that was pushed. */
  readonly tip: string;
  /** Of title and body as they were written. */
  readonly hash: string;
}

// Source of both: answers 422 of the API, "is too long (maximum is … characters)".
const LONGEST_TITLE = 256;
const LONGEST_BODY = 65_536;
const ZERO_WIDTH_SPACE = '\u200b';
/** Markdown shows them as `@` and `#`. */
const ENTITY = /&(?:#0*(?:64|35)|#x0*(?:40|23)|commat|num);/gi;

/**
 * The text of a pull request for the monorepo: who opened it and where, then the text as it was, with references that name their repository, and without what would notify people or
 * close issues. Its first line is the marker by which it is found again.
 */
export function retellPullRequest(source: PullRequest, context: TextContext): PullRequestText {
  const title = cut(retell(source.title, context), LONGEST_TITLE, '…');
  const head = `${tellOrigin(source, context.name)}\n`;
  // Blanks before its first word may make it code.
  const body = retell(
    source.body
      .replaceAll('\r\n', '\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd(),
    context,
  );
  const room = LONGEST_BODY - head.length - marker(source.url, context.tip, hashOf('', '')).length - 2;
  const text = body === '' ? head : `${head}\n${cut(body, room, '\n\n… The rest was too long, and is in the old pull request.')}`;
  return { title, body: `${marker(source.url, context.tip, hashOf(title, text))}\n${text}` };
}

/** The marker of a body; `undefined`: it has none as its first line. */
export function readMarker(body: string): Marker | undefined {
  const [first = ''] = body.split(/\r?\n/, 1);
  const [, url, tip, hash] = /^<!-- migrate-repo pull-requests: (\S+) ([0-9a-f]+) ([0-9a-f]{16}) -->$/.exec(first) ?? [];
  return url === undefined || tip === undefined || hash === undefined ? undefined : { url, tip, hash };
}

/** Whether title and body are still what `migrate-repo` wrote: nobody has edited them. */
export function isUntouched({ title, body }: PullRequestText): boolean {
  const text = body.replaceAll('\r\n', '\n');
  return readMarker(text)?.hash === hashOf(title, text.slice(text.indexOf('\n') + 1));
}

/** A body that somebody has edited, with its marker brought up to date and nothing else. */
export function renewMarker({ title, body }: PullRequestText, tip: string): PullRequestText {
  const found = readMarker(body);
  if (found === undefined) return { title, body };
  return { title, body: `${marker(found.url, tip, found.hash)}${body.slice(body.split(/\r?\n/, 1)[0]?.length)}` };
}

/** A comment for the pull request of the source, without its marker. */
export function tellContinuation(url: string, { name, repository }: { readonly name: string; readonly repository: string }): string {
  return `${name} has moved to ${repository}, and this pull request goes on there: ${url}\n`;
}

export const COMMENT_MARKER = '<!-- migrate-repo pull-requests -->';

function tellOrigin({ author, url, createdAt }: PullRequest, name: string): string {
  return `_Opened by ${tellAuthor(author, url)} on ${createdAt.slice(0, 10)} as ${url}, before ${name} moved here._`;
}

/** Without an `@`, which would notify them. */
function tellAuthor(author: string | undefined, url: string): string {
  if (author === undefined) return 'an account that is gone';
  return /^[A-Za-z0-9_-]+$/.test(author) ? `[${author}](${new URL(url).origin}/${author})` : `\`${author.replaceAll('`', '')}\``;
}

function retell(text: string, { repository, owner, newId }: TextContext): string {
  const bytes = Buffer.from(text.replace(ENTITY, `$&${ZERO_WIDTH_SPACE}`), 'utf8').toString('latin1');
  const message = { text: bytes, encoding: undefined };
  const rewritten = rewriteMessage(message, { repository: { name: repository, forge: 'other' }, newId })?.text ?? bytes;
  const separator = Buffer.from(ZERO_WIDTH_SPACE, 'utf8').toString('latin1');
  return Buffer.from(breakMentions(rewritten, { owner, separator }).text, 'latin1').toString('utf8');
}

/** By code points: half of one would be another text. */
function cut(text: string, longest: number, end: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - end.length).replace(/[\ud800-\udbff]$/, '')}${end}`;
}

function marker(url: string, tip: string, hash: string): string {
  return `<!-- migrate-repo pull-requests: ${url} ${tip} ${hash} -->`;
}

/** Blanks at its end are none that a forge keeps for certain. */
function hashOf(title: string, text: string): string {
  return createHash('sha256').update(`${title.trim()}\n${text.trimEnd()}`).digest('hex').slice(0, 16);
}
