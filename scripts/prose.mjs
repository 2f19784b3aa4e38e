// The rules for prose: forbidden constructions, sentence length, and how Markdown is split into sentences. Independent of files.
import { longLines } from './wrap-markdown.mjs';

/** Constructions that read as if translated, each with its replacement. */
export const BANNED = [
  [/\bof ours\b/i, 'use "our" or a name'],
  [/\bas \w+ as can be\b/i, 'say how far, or leave it out'],
  [/\bbe it\b/i, 'use "whether … or …"'],
  [/\bthe very (?!first\b|last\b)/i, 'use "the same", or name it'],
  [/(?<!\bthere )\bis none\b/i, 'use "invalid", "unknown" or "has no …"'],
  [/\bcounts? for (?:everybody|nobody|everyone|all|none)\b/i, 'use "selects every workspace" or "selects nothing"'],
  [/\bfound by itself\b|\bfinds? (?:it|them) by (?:itself|themselves)\b/i, 'use "auto-detected" or "detects"'],
  [/\b(?:take|takes|took|taken) (?:(?:it|them|one|a|the|that|this) ){1,2}(?:\w+ )?back\b|\btaken back\b/i, 'use "undo" or "revert"'],
  [/\bwhat (?:it|a \w+|the \w+) (?:was|is) worth\b/i, 'name what is measured'],
  [/\bwhat (?:became|has become|becomes) of\b/i, 'name what changed'],
  [/\b(?:and|is|are) nothing else\b/i, 'use "only"'],
  [/\bin order to\b/i, 'use "to"'],
  [/\b(?:simply|easily|obviously|of course)\b/i, 'leave it out'],
  [/\b(?:as|so) (?:many|much|long|few) \w+ as it takes\b/i, 'give the number'],
  [
    /(?<!\bthere )\b(?:is|are) no (?:such )?(?:\w+ )?(?:files?|names?|folders?|branch|workspaces?|commits?|package|paths?|versions?|range|text|numbers?|links?)\b/i,
    'use "is not a …" or "invalid"',
  ],
  [/\ball the same\b/i, 'use "still"'],
];

/** The end of a sentence: a full stop, question or exclamation mark, then a blank and a new beginning. */
const SENTENCE_END = /(?<=[.!?]["”’)]*)(?<!\b(?:e\.g|i\.e|vs|cf|no)\.)\s+(?=["“(]?[A-Z`0-9])/;
const EXCUSE = /<!-- prose-ok: \S.* -->/;
/** Where a new piece begins without a blank line before it. */
const PIECE_START = /^\s*(?:[-*+]|\d+\.)\s+|^#{1,6}\s+|^\s*>\s?/;

/**
 * Returns the faults of a Markdown file as `{ line, fault, text }`, in order: sentences over `maxWords` words, banned constructions, and
 * lines over 120 columns that could wrap. Skips code blocks, comments, and the paragraph below `<!-- prose-ok: reason -->`.
 */
export function faultsOfMarkdown(markdown, maxWords) {
  const long = longLines(markdown);
  const lines = markdown.split('\n');
  const tooLong = long.map((text) => ({ line: lines.indexOf(text) + 1, fault: 'line over 120 columns', text }));
  const faults = piecesOf(lines).flatMap(({ line, text }) => faultsOfText(text, maxWords).map((fault) => ({ line, ...fault })));
  return [...faults, ...tooLong].sort((a, b) => a.line - b.line);
}

/** Returns the faults of one paragraph as `{ fault, text }`, sentence by sentence. */
export function faultsOfText(text, maxWords) {
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    const long = words > maxWords ? [`${words} words, at most ${maxWords}`] : [];
    const banned = BANNED.flatMap(([pattern, advice]) => {
      const found = pattern.exec(sentence);
      return found === null ? [] : [`"${found[0]}": ${advice}`];
    });
    return [...long, ...banned].map((fault) => ({ fault, text: sentence }));
  });
}

/** Returns paragraphs, list items, headings and table cells with their first lines. Code in them is one word; links are their texts. */
function piecesOf(lines) {
  const pieces = [];
  let open;
  let isCode = false;
  let isExcused = false;
  const close = () => {
    if (open !== undefined && !isExcused) pieces.push(open);
    if (open !== undefined) isExcused = false;
    open = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence || isCode || /^\s*(?:$|<|\|)/.test(line) || PIECE_START.test(line)) close();
    if (isFence) isCode = !isCode;
    else if (EXCUSE.test(line)) isExcused = true;
    else if (!isCode && /^\s*\|/.test(line)) {
      if (!isExcused) pieces.push(...cellsOf(line).map((text) => ({ line: index + 1, text: plain(text) })));
      if (!/^\s*\|/.test(lines[index + 1] ?? '')) isExcused = false;
    } else if (!isCode && !/^\s*(?:$|<)/.test(line)) {
      const text = plain(line.replace(PIECE_START, ''));
      open = open === undefined ? { line: index + 1, text } : { ...open, text: `${open.text} ${text}` };
    }
  }
  close();
  return pieces;
}

function cellsOf(row) {
  return row.split(/(?<!\\)\|/).filter((cell) => /\p{L}/u.test(cell));
}

function plain(text) {
  return text
    .replaceAll(/`+[^`]+`+/g, '`code`')
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\))?/g, '$1')
    .replaceAll(/<!--.*?-->|\*\*/g, '')
    .trim();
}
