/** A block of lines that belongs to one package in a file of the root. */
export interface FencedBlock {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Whether a line would be read as a begin or end mark. */
export function isFence(line: string): boolean {
  return /^\s*# (begin|end) \S+( \(migrate-repo\))?\s*$/.test(line);
}

/**
 * Returns the text with a block between marks. It replaces the block of the same name, or is appended at the end. The
 * rest is unchanged. Repeating the call changes nothing. A mark without its counterpart is a comment.
 */
export function withBlock(text: string, { name, lines }: FencedBlock): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const fenced = [`# begin ${name} (migrate-repo)`, ...lines, `# end ${name}`];
  const before = text.split(/\r?\n/);
  const last = before.lastIndexOf(`# end ${name}`);
  const first = last === -1 ? -1 : before.lastIndexOf(fenced[0] ?? '', last);
  if (first === -1) {
    const kept = text === '' ? '' : `${text.replace(/(\r?\n)*$/, '')}${end}${end}`;
    return `${kept}${fenced.join(end)}${end}`;
  }
  return [...before.slice(0, first), ...fenced, ...before.slice(last + 1)].join(end);
}

/** Returns the lines of a package's block; empty if there is none. */
export function linesOfBlock(text: string, name: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const last = lines.lastIndexOf(`# end ${name}`);
  const first = last === -1 ? -1 : lines.lastIndexOf(`# begin ${name} (migrate-repo)`, last);
  return first === -1 ? [] : lines.slice(first + 1, last);
}
