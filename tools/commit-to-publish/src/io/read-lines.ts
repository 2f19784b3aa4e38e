import { isUtf8 } from 'node:buffer';

/** A line of text, or what keeps it from being one, as the end of a sentence that begins with it. */
export type Line = string | { readonly flaw: string };

/** Longer than any event can be. */
export const LONGEST_LINE = 1 << 20;

const TOO_LONG: Line = { flaw: `is longer than ${LONGEST_LINE / (1 << 20)} MB` };
const NO_UTF8: Line = { flaw: 'is no UTF-8' };

/** The lines of bytes, without the line feed. Many at a time: a step for every line would take longer than reading it. What it holds does not grow with the length of a line, nor with their number. */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const end = chunk.lastIndexOf(FEED);
    if (end === -1) {
      // Of a line that is too long nothing need be kept but that it is.
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

function linesIn(bytes: Buffer): readonly Line[] {
  if (isUtf8(bytes))
    return bytes
      .toString()
      .split('\n')
      .map((line) => (isTooLong(line) ? TOO_LONG : line));
  const lines: Line[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const feed = bytes.indexOf(FEED, from);
    const end = feed === -1 ? bytes.length : feed;
    const line = bytes.subarray(from, end);
    lines.push(line.length > LONGEST_LINE ? TOO_LONG : isUtf8(line) ? line.toString() : NO_UTF8);
    from = end + 1;
  }
  return lines;
}

/** A character is up to three bytes for each unit of its length. */
function isTooLong(line: string): boolean {
  return line.length * 3 > LONGEST_LINE && Buffer.byteLength(line) > LONGEST_LINE;
}
