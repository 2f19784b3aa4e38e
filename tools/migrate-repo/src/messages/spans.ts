/** A part of a text: `from` is its first character, `to` is the one after its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const LONGEST_SCHEME = 20;
const IN_URL = /[^ \t\r\n\f\v<>"'`]*/y;

/** Returns the URLs in a text, with their schemes, in order. */
export function findUrls(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', spans.at(-1)?.to ?? 0)) {
    const scheme = /[A-Za-z][A-Za-z0-9+.-]*$/.exec(text.slice(Math.max(0, at - LONGEST_SCHEME), at))?.[0] ?? '';
    IN_URL.lastIndex = at + '://'.length;
    IN_URL.test(text);
    spans.push({ from: at - scheme.length, to: Math.max(IN_URL.lastIndex, at + '://'.length) });
  }
  return spans;
}

/** Returns Markdown code, in order: text between backticks, fenced blocks and indented blocks. */
export function findCode(text: string): readonly Span[] {
  const spans: Span[] = [];
  let prose = 0;
  let block: OpenBlock | undefined;
  let isAfterBlank = true;
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    const isBlank = /^[ \t\r\n]*$/.test(line);
    const next = block === undefined ? opened(line, at, isAfterBlank) : stillOpen(block, line, isBlank);
    if (block === undefined && next !== undefined) spans.push(...findInlineCode(text, prose, at));
    if (block !== undefined && next === undefined) {
      const isClosing = block.fence !== undefined;
      prose = isClosing ? end : at;
      spans.push({ from: block.from, to: prose });
    }
    block = next;
    isAfterBlank = isBlank;
    at = end;
  }
  spans.push(...(block === undefined ? findInlineCode(text, prose, text.length) : [{ from: block.from, to: text.length }]));
  return spans;
}

interface OpenBlock {
  readonly from: number;
  /** The closing fence; `undefined` for an indented block. */
  readonly fence: string | undefined;
}

function opened(line: string, from: number, isAfterBlank: boolean): OpenBlock | undefined {
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) return { from, fence };
  return isAfterBlank && /^(?: {4}|\t)[ \t]*[^ \t\r\n]/.test(line) ? { from, fence: undefined } : undefined;
}

function stillOpen(block: OpenBlock, line: string, isBlank: boolean): OpenBlock | undefined {
  if (block.fence !== undefined)
    return line.trimStart().startsWith(block.fence) && /^[ ]{0,3}[`~]+[ \t\r\n]*$/.test(line) ? undefined : block;
  return isBlank || /^(?: {4}|\t)/.test(line) ? block : undefined;
}

/** Returns text between two runs of equally many backticks within one paragraph. */
function findInlineCode(text: string, from: number, to: number): readonly Span[] {
  const spans: Span[] = [];
  const runs = [...text.slice(from, to).matchAll(/`+|\n[ \t\r]*(?=\n)/g)];
  let open = new Map<number, number>();
  for (const run of runs) {
    const at = from + run.index;
    const isParagraph = run[0].startsWith('\n');
    const start = isParagraph ? undefined : open.get(run[0].length);
    if (start !== undefined) spans.push({ from: start, to: at + run[0].length });
    // A run inside the code that ends here is part of that code.
    if (isParagraph) open = new Map();
    else if (start !== undefined) open = new Map([...open].filter(([, other]) => other < start));
    else open.set(run[0].length, at);
  }
  return spans;
}

function endOfLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}

/** A text with some matches replaced, and their number. */
export interface ReplacedText {
  readonly text: string;
  readonly count: number;
}

/** Replaces matches of a global pattern outside `spans`. If `replacement` returns `undefined`, the match is unchanged. */
export function replaceOutside(
  text: string,
  { pattern, spans }: { readonly pattern: RegExp; readonly spans: readonly Span[] },
  replacement: (match: RegExpExecArray) => string | undefined,
): ReplacedText {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const pieces: string[] = [];
  let done = 0;
  let count = 0;
  let next = 0;
  for (const match of text.matchAll(pattern)) {
    while ((sorted[next]?.to ?? text.length) <= match.index && next < sorted.length) next += 1;
    const span = sorted[next];
    const isInside = span !== undefined && span.from <= match.index;
    const replaced = isInside ? undefined : replacement(match);
    if (replaced === undefined) continue;
    pieces.push(text.slice(done, match.index), replaced);
    done = match.index + match[0].length;
    count += 1;
  }
  return { text: pieces.join('') + text.slice(done), count };
}
