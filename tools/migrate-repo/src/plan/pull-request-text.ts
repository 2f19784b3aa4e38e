import type { PullRequest, PullRequestText } from '@tributary/model/pull-request-host';
import { breakMentions } from '../messages/mentions.js';
import { rewriteMessage } from '../messages/rewrite-message.js';
import { LONGEST_MARKER, writeMarked } from './text-marker.js';

/** The context for rewriting the text of a pull request. */
export interface TextContext {
  /** The source: `acme/left-pad`. */
  readonly repository: string;
  /** The owner of the monorepo, whose teams could be mentioned too. */
  readonly owner: string;
  /** The package. */
  readonly name: string;
  /** The last commit of the rewritten branch. */
  readonly tip: string;
  /** Returns the new id of a commit that the text quotes; `undefined` if it names none. */
  readonly newId: (quoted: string) => string | undefined;
}

// Source of both: 422 responses of the API, "is too long (maximum is … characters)".
const LONGEST_TITLE = 256;
const LONGEST_BODY = 65_536;
const ZERO_WIDTH_SPACE = '\u200b';
/** Entities that Markdown shows as `@` and `#`. */
const ENTITY = /&(?:#0*(?:64|35)|#x0*(?:40|23)|commat|num);/gi;

/**
 * Returns the text of a pull request for the monorepo: its author and origin, then the original text. In it, references
 * name their repository, and nothing notifies people or closes issues. The first line is the marker that identifies it.
 */
export function retellPullRequest(source: PullRequest, context: TextContext): PullRequestText {
  const title = cut(retell(source.title, context), LONGEST_TITLE, '…');
  const head = `${tellOrigin(source, context.name)}\n`;
  // Leading spaces may turn it into code.
  const body = retell(
    source.body
      .replaceAll('\r\n', '\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd(),
    context,
  );
  const room = LONGEST_BODY - head.length - source.url.length - LONGEST_MARKER;
  const text = body === '' ? head : `${head}\n${cut(body, room, '\n\n… The text was too long. The rest is in the old pull request.')}`;
  return writeMarked({ title, body: text }, { url: source.url, tip: context.tip });
}

function tellOrigin({ author, url, createdAt }: PullRequest, name: string): string {
  return `_Opened by ${tellAuthor(author, url)} on ${createdAt.slice(0, 10)} as ${url}, before ${name} moved here._`;
}

/** Returns the author without an `@`, which would notify them. */
function tellAuthor(author: string | undefined, url: string): string {
  if (author === undefined) return 'a deleted account';
  return /^[A-Za-z0-9_-]+$/.test(author) ? `[${author}](${new URL(url).origin}/${author})` : `\`${author.replaceAll('`', '')}\``;
}

function retell(text: string, { repository, owner, newId }: TextContext): string {
  const bytes = Buffer.from(text.replace(ENTITY, `$&${ZERO_WIDTH_SPACE}`), 'utf8').toString('latin1');
  const message = { text: bytes, encoding: undefined };
  const rewritten =
    rewriteMessage(message, { repository: { name: repository, forge: 'other' }, mentions: 'zero-width', newId })?.text ?? bytes;
  const separator = Buffer.from(ZERO_WIDTH_SPACE, 'utf8').toString('latin1');
  return Buffer.from(breakMentions(rewritten, { owner, separator }).text, 'latin1').toString('utf8');
}

/** Cuts a text between code points: half a surrogate pair would be another text. */
function cut(text: string, longest: number, end: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - end.length).replace(/[\ud800-\udbff]$/, '')}${end}`;
}
