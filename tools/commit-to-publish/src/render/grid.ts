import { LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import { formatTable } from '@tributary/terminal/table';
import { unbroken } from './markdown/parts.js';
import type { TextStyle } from './text-style.js';

/** A table for a terminal and for Markdown. Columns are aligned to the right, except the first, and a last one without a title. */
export interface Grid {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function gridText({ titles, rows }: Grid, style: TextStyle): string {
  const last = titles.length - 1;
  const columns = titles.map((title, at) => ({
    title,
    align: at === 0 || (at === last && title === '') ? ('left' as const) : ('right' as const),
  }));
  return formatTable({ columns, rows, styleTitle: style.bold }, style.width);
}

/** The cells must not contain text from others. */
export function gridMarkdown({ titles, rows }: Grid): string {
  return table(
    titles.map((title) => (title === '' ? ' ' : title)),
    rows.map((row) => row.map(unbroken)),
    LARGEST_SUMMARY / 4,
  );
}
