import CliTable from 'cli-table3';

export interface Column {
  readonly title: string;
  /** `left` without it. */
  readonly align?: 'left' | 'right';
  /** Which end of its cells may be cut when the table is too wide; the widest such column is cut first. Addresses tell more at their end. */
  readonly shrink?: 'start' | 'end';
}

export interface Table {
  readonly columns: readonly Column[];
  /** One text for each column. */
  readonly rows: readonly (readonly string[])[];
  /** For the titles: `(text) => ui.styleData('bold', text)`. */
  readonly styleTitle?: (title: string) => string;
}

/** Between two columns. */
const GAP = 2;

/** No column is cut to less, whatever the width. */
const LEAST = 8;

/**
 * A table without borders: titles, then rows, no newline at the end. It is as wide as its content, and at most `width` columns of
 * the terminal as far as the columns may shrink; what is cut ends in `…`. Line breaks in a cell become blanks.
 */
export function formatTable(table: Table, width: number): string {
  const whole = layOut(table, []);
  const widths = whole.widths;
  let excess = widths.reduce((sum, one) => sum + one, 0) - width;
  while (excess > 0) {
    const widest = widestToShrink(table.columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return layOut({ ...table, rows: table.rows.map((row) => row.map((cell, i) => cutStart(cell, table.columns[i], widths[i]))) }, widths)
    .text;
}

/** What must be cut at the end is left to the library. */
function cutStart(cell: string, column: Column | undefined, width = Number.POSITIVE_INFINITY): string {
  const room = width - GAP;
  return column?.shrink === 'start' && cell.length > room ? `…${cell.slice(cell.length - room + 1)}` : cell;
}

/** The index of the widest column that may and can lose something. */
function widestToShrink(columns: readonly Column[], widths: readonly number[]): number | undefined {
  const candidates = columns.flatMap(({ shrink }, i) => (shrink !== undefined && (widths[i] ?? 0) > LEAST + GAP ? [i] : []));
  return candidates.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
}

/** Lays the table out with the given widths, or with the natural ones, and says which they were. */
function layOut(table: Table, given: readonly number[]): { readonly text: string; readonly widths: number[] } {
  const titles = table.columns.map(({ title }) => table.styleTitle?.(title) ?? title);
  const last = table.columns.length - 1;
  const lines = [titles, ...table.rows].map((row) =>
    row.map((cell, i) => ({
      content: cell.replaceAll(/\s*[\r\n]+\s*/g, ' '),
      style: { 'padding-left': 0, 'padding-right': i < last ? GAP : 0 },
    })),
  );
  const layout = new CliTable({
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: table.columns.map(({ align }) => align ?? 'left'),
    colWidths: [...given],
    truncate: '…',
  });
  layout.push(...lines);
  const text = layout.toString().replaceAll(/ +$/gm, '');
  // The library measures as terminals do (wide and combining characters), and leaves the result here.
  return { text, widths: layout.options.colWidths.map((one) => one ?? 0) };
}

const sides = ['', '-left', '-mid', '-right'];
const borderless = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right', 'middle'].flatMap((name) => sides.map((side) => [`${name}${side}`, ''])),
);
