import { isUtf8 } from 'node:buffer';

/** A line of text, or why it is invalid, as a predicate without its subject. */
export type InputLine = string | { readonly flaw: string };

/** In bytes; longer than any event. */
export const LONGEST_LINE = 1 << 20;

const TOO_LONG: InputLine = { flaw: `is longer than ${LONGEST_LINE / (1 << 20)} MB` };
const NO_UTF8: InputLine = { flaw: 'is no UTF-8' };

/**
 * Returns the lines of a byte stream without line feeds. It yields many at a time, because a step per line would take longer than reading
 * it. Its memory grows neither with the length nor with the number of lines.
 */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<readonly InputLine[]> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const end = chunk.lastIndexOf(FEED);
    if (end === -1) {
      // A line that is too long needs no content.
      if (length <= LONGEST_LINE) rest.push(chunk);
      length += chunk.length;
      continue;
    }
    yield linesIn(Buffer.concat([...rest, chunk.subarray(0, end)]));
    rest = [chunk.subarray(end + 1)];
    length = chunk.length - end - 1;
  }
  if (length > 0) yield linesIn(Buffer.concat(rest));
}

const FEED = 0x0a;

function linesIn(bytes: Buffer): readonly InputLine[] {
  if (isUtf8(bytes))
    return bytes
      .toString()
      .split('\n')
      .map((line) => (isTooLong(line) ? TOO_LONG : line));
  const lines: InputLine[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const feed = bytes.indexOf(FEED, from);
    const end = feed === -1 ? bytes.length : feed;
    const line = bytes.subarray(from, end);
    lines.push(line.length > LONGEST_LINE ? TOO_LONG : isUtf8(line) ? line.toString() : NO_UTF8);
    from = end + 1;
  }
  return lines;
}

/** A UTF-16 unit takes up to three bytes. */
function isTooLong(line: string): boolean {
  return line.length * 3 > LONGEST_LINE && Buffer.byteLength(line) > LONGEST_LINE;
}
