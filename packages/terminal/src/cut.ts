/** Cuts a line so that it is sure to fit. Characters that may be two columns wide count as two; control characters become blanks. */
export function cutToWidth(text: string, columns: number): string {
  const segments = segmentsOf(text);
  if (fittingIn(segments, columns).length === segments.length) return segments.join('');
  return `${fittingIn(segments, columns - 1).join('')}…`;
}

/** Like `cutToWidth`, but removes the middle: the ends of a name are the most informative. */
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

/** Returns the longest beginning that fits. */
function fittingIn(segments: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const end = segments.findIndex((segment) => {
    width += (segment.codePointAt(0) ?? 0) < 0x1100 && segment.length === 1 ? 1 : 2;
    return width > columns;
  });
  return end === -1 ? segments : segments.slice(0, end);
}
