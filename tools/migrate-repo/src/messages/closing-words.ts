import { findUrls, type ReplacedText, replaceOutside } from './spans.js';

// The closing words of GitHub, GitLab and Gitea.
const WORD = 'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|reopen(?:s|ed)?';
// ASCII white space, and the no-break space in UTF-8.
const BLANK = '(?:[ \\t\\r\\n\\f\\v]|\\xc2\\xa0)';
const BLANKS = `${BLANK}{1,80}`;
const GAP = `(?:${BLANK}{0,80}:${BLANK}{0,80}|${BLANKS})`;
const PATH = '[A-Za-z0-9_.-]+';
// A single letter before the number names a language, not a project: `C#7`.
const NUMBERED = `(?:${PATH}(?:/${PATH})+|[A-Za-z0-9_.-]{2,100})?#\\d|GH-\\d`;
const ADDRESS = 'https?://[^ \\t\\r\\n<>"\'`]{1,300}?/(?:issues|pull|pulls|merge_requests|work_items)/\\d';
const PATTERN = new RegExp(`(?<![A-Za-z0-9_])(${WORD})(${GAP})(issues?${BLANKS})?(?=\\[?(?:${NUMBERED}|${ADDRESS}))`, 'gi');

/**
 * Breaks closing words, so that no forge closes an issue: `fixes #12` becomes `fixes the issue #12`. Applies to code
 * too, because forges display and parse messages as plain text. Takes and returns bytes as Latin-1 text.
 */
export function breakClosingWords(text: string): ReplacedText {
  if (!MAY_CLOSE.test(text)) return { text, count: 0 };
  const urls = findUrls(text);
  return replaceOutside(text, { pattern: PATTERN, spans: [] }, ({ index, 1: word = '', 2: gap = '', 3: issue }) => {
    // `https://host.example/fix:#12` is a single URL.
    if (/^:?$/.test(gap) && urls.some(({ from, to }) => from <= index && index < to)) return undefined;
    return issue === undefined ? `${word}${gap}the issue ` : `${word}${gap}the ${issue}`;
  });
}

const MAY_CLOSE = /clos|fix|resolv|implement|reopen/i;
