/** Cuts a line so that it surely fits: what may be two columns wide is counted as two. Control characters become blanks. */
export function cutToWidth(text: string, columns: number): string {
  const segments = segmentsOf(text);
  if (fittingIn(segments, columns).length === segments.length) return segments.join('');
  return `${fittingIn(segments, columns - 1).join('')}…`;
}

/** The same for a name, which tells most at its ends: what is taken out is its middle. */
export function cutMiddle(text: string, columns: number): string {
  const segments = segmentsOf(text);
  if (fittingIn(segments, columns).length === segments.length) return segments.join('');
  const head = fittingIn(segments, Math.ceil((columns - 1) / 2));
  const tail = fittingIn(segments.toReversed(), Math.floor((columns - 1) / 2)).toReversed();
  return `${head.join('')}…${tail.join('')}`;
}

function segmentsOf(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may hold them, and they would move the cursor
  const line = text.replace(/[\0-\x1f\x7f-\x9f]/g, ' ');
  return Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
}

/** As many of the first as fit. */
function fittingIn(segments: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const end = segments.findIndex((segment) => {
    width += (segment.codePointAt(0) ?? 0) < 0x1100 && segment.length === 1 ? 1 : 2;
    return width > columns;
  });
  return end === -1 ? segments : segments.slice(0, end);
}
