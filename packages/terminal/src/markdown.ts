/** Below the 1 MiB that GitHub takes from a step, with room for what others write there. */
export const LARGEST_SUMMARY = 900_000;

/** Text of others, such as a file name, as code in Markdown: none of its signs means anything. */
export function code(text: string): string {
  const plain = text
    .slice(0, 300)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/\|/g, '¦');
  // A run of backticks ends only where one of the same length does.
  const fence = '`'.repeat(Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  if (plain === '') return '';
  return fence.length === 1 ? `\`${plain}\`` : `${fence} ${plain} ${fence}`;
}

/** A table with as many rows as fit into so many bytes; the rest is counted. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], room: number): string {
  const lines = [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`];
  let used = Buffer.byteLength(lines.join('\n')) + ROOM_FOR_REST;
  for (const [at, row] of rows.entries()) {
    const line = `| ${row.join(' | ')} |`;
    used += Buffer.byteLength(line) + 1;
    if (used > room) return [...lines, '', `and ${rows.length - at} more.`].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

/** For the line that counts the rest. */
const ROOM_FOR_REST = 30;
