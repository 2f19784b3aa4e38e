import { isRepositoryName, type NamedRepository } from '@tributary/model/message-mapping';
import { findCode, findUrls, type ReplacedText, replaceOutside } from './spans.js';

// Not in a word (`C#7`, `acme/ui#12`), a path or a character entity (`&#39;`), and not at the start of a word (`#12px`).
const ISSUE = /(?<![\w/#&.-])(?:#|GH-(?=\d))([1-9]\d{0,8})(?!-?\w)/gi;
const MERGE_REQUEST = /(?<![\w/#&!.-])!([1-9]\d{0,8})(?!-?\w)/g;

/**
 * Prefixes every `#12` and `GH-12`, and GitLab's `!12`, with the repository name, outside URLs and code. Takes and
 * returns bytes as Latin-1 text.
 */
export function qualifyReferences(text: string, { name, forge }: NamedRepository): ReplacedText {
  const issues = MAY_REFER.test(text) ? qualify(text, ISSUE, `${name}#`) : { text, count: 0 };
  if (forge !== 'gitlab' || !text.includes('!')) return issues;
  const requests = qualify(issues.text, MERGE_REQUEST, `${name}!`);
  return { text: requests.text, count: issues.count + requests.count };
}

const MAY_REFER = /#\d|GH-\d/i;

function qualify(text: string, pattern: RegExp, before: string): ReplacedText {
  const spans = [...findUrls(text), ...findCode(text)];
  return replaceOutside(text, { pattern, spans }, (match) => {
    const [whole, number = ''] = match;
    const target = text[match.index - 1] === '[' ? linkTarget(text, match.index + whole.length) : undefined;
    return target === undefined ? before + number : nameLinked(target, number);
  });
}

/** Returns the target of the Markdown link whose text ends at `at`; `undefined` if there is no link. */
function linkTarget(text: string, at: number): string | undefined {
  return /^\]\(([^ \t\r\n()]*)\)/.exec(text.slice(at, at + LONGEST_LINK))?.[1];
}

const LONGEST_LINK = 300;
const LINKED = /^https?:\/\/[^/]+\/(.+?)(?:\/-)?\/(?:issues|pull|pulls|merge_requests|discussions)\/(\d+)(?!\d)/;

/**
 * Returns the reference of a link such as `[#12](https://github.com/other/one/pull/12)`, which bots write: the URL has
 * the name. `undefined` if it has none; the text is then unchanged.
 */
function nameLinked(target: string, number: string): string | undefined {
  const [, name = '', linked] = LINKED.exec(target) ?? [];
  return linked === number && isRepositoryName(name) ? `${name}#${number}` : undefined;
}
