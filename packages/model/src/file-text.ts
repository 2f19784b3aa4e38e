/** The text without the byte order mark that some editors put in front. */
export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The line (from 1) of the first conflict marker that git left in a text; `undefined` if there is none. */
export function conflictLine(text: string): number | undefined {
  // The exact look costs some milliseconds in a large file, and markers are rare.
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return undefined;
  const marker = /^(<{7}|>{7})( |\r?$)/m.exec(text);
  return marker === null ? undefined : lineAt(text, marker.index);
}
