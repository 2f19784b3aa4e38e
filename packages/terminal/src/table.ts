import measure from 'fast-string-truncated-width';
import { cutMiddle } from './cut.js';

export interface Column {
  readonly title: string;
  /** Default: `left`. */
  readonly align?: 'left' | 'right';
  /**
   * The end of its cells that may be cut if the table is too wide; the widest such column is cut first. Names and addresses are more
   * informative at their end; where that is the same for several, their middle is cut. Cells of such a column that differ still do then.
   * Such cells have no styles.
   */
  readonly shrink?: 'start' | 'end';
  /** The width to which it may be cut; missing: 8. */
  readonly least?: number;
}

export interface Table {
  readonly columns: readonly Column[];
  /** Each row has one text for each column. */
  readonly rows: readonly (readonly string[])[];
  /** Styles the titles: `(text) => ui.styleData('bold', text)`. */
  readonly styleTitle?: (title: string) => string;
}

const GAP = '  ';

/** The default minimum width to which a column is cut, whatever the total width. */
const LEAST = 8;

/**
 * Returns a table without borders: titles, then rows, without a newline at the end. It is as wide as its content, but at most `width`
 * columns: columns that may shrink are cut, with `…`. If it is still wider, each cell gets a line of its own. Line breaks in a cell become
 * blanks.
 */
export function formatTable(table: Table, width: number): string {
  const { columns, styleTitle = (title: string) => title } = table;
  const { titles, lines, widths } = layOut(table, width);
  if (lines.length > 0 && totalOf(widths) > width) return lines.map((row) => formatList(row, titles, styleTitle)).join('\n');
  const names = columns.map(({ shrink }, i) =>
    shrink === 'start' ? cutNames(new Set(lines.map((line) => line[i] ?? '')), widths[i] ?? 0) : undefined,
  );
  const format = (row: readonly string[], style: (text: string) => string): string =>
    row
      .map((cell, i) => pad(names[i]?.get(cell) ?? cutTo(cell, widths[i]), { column: columns[i], width: widths[i], style }))
      .join(GAP)
      .replace(/ +$/, '');
  return [format(titles, styleTitle), ...lines.map((line) => format(line, (text) => text))].join('\n');
}

/** Returns whether the cells of a row fit side by side. */
export function fitsSideBySide(table: Table, width: number): boolean {
  return totalOf(layOut(table, width).widths) <= width;
}

interface Layout {
  readonly titles: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** The width of each column, after cuts. */
  readonly widths: readonly number[];
}

function layOut({ columns, rows }: Table, width: number): Layout {
  const titles = columns.map(({ title }) => oneLine(title));
  const lines = rows.map((row) => row.map(oneLine));
  const widths = titles.map((_, i) => widest([titles, ...lines], i));
  const least = columns.map((column, i) => leastOf(column, new Set(lines.map((line) => line[i] ?? ''))));
  return { titles, lines, widths: fit(widths, { least, width }) };
}

/** Returns a row as lines: its first cell, then the title and content of each other cell that is not empty. */
function formatList([first = '', ...cells]: readonly string[], titles: readonly string[], style: (title: string) => string): string {
  const lines = cells.map((cell, i) => ({ cell, title: titles[i + 1] ?? '' })).filter(({ cell }) => cell !== '');
  const width = Math.max(...lines.map(({ title }) => widthOf(title)));
  return [first, ...lines.map(({ cell, title }) => GAP + pad(title, { column: undefined, width, style }) + GAP + cell)].join('\n');
}

function oneLine(cell: string): string {
  return cell.replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

function widest(rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0);
}

/** Returns the width in a terminal: wide characters take two columns, combining characters and styles none. */
function widthOf(text: string): number {
  return measure(text).width;
}

/** Returns the width to which a column may be cut; `undefined` for one that may not. */
function leastOf(column: Column, cells: ReadonlySet<string>): number | undefined {
  let { least = LEAST } = column;
  if (column.shrink !== 'start') return column.shrink === undefined ? undefined : least;
  while (new Set(cutNames(cells, least).values()).size < cells.size) least++;
  return least;
}

/** Cuts the start of names, or the middle where another would then look the same. */
function cutNames(names: ReadonlySet<string>, width: number): ReadonlyMap<string, string> {
  const cut = [...names].map((name): [string, string] => [name, widthOf(name) <= width ? name : `…${name.slice(name.length - width + 1)}`]);
  const uses = new Map<string, number>();
  for (const [, end] of cut) uses.set(end, (uses.get(end) ?? 0) + 1);
  return new Map(cut.map(([name, end]) => [name, uses.get(end) === 1 ? end : cutMiddle(name, width)]));
}

interface Limits {
  /** As `leastOf` returns them. */
  readonly least: readonly (number | undefined)[];
  readonly width: number;
}

function fit(widths: readonly number[], { least, width }: Limits): number[] {
  const fitted = [...widths];
  let excess = totalOf(fitted) - width;
  while (excess > 0) {
    const at = widestToShrink(fitted, least);
    if (at === undefined) break;
    fitted[at] = (fitted[at] ?? 0) - 1;
    excess--;
  }
  return fitted;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1));
}

/** Returns the index of the widest column that may shrink and is wider than its minimum. */
function widestToShrink(widths: readonly number[], least: Limits['least']): number | undefined {
  const candidates = widths.flatMap((width, i) => (width > (least[i] ?? Number.POSITIVE_INFINITY) ? [i] : []));
  return candidates.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
}

function cutTo(cell: string, width = Number.POSITIVE_INFINITY): string {
  if (widthOf(cell) <= width) return cell;
  return `${cell.slice(0, measure(cell, { limit: width, ellipsis: '…' }).index)}…`;
}

interface Padding {
  readonly column: Column | undefined;
  readonly width: number | undefined;
  readonly style: (text: string) => string;
}

function pad(cell: string, { column, width = 0, style }: Padding): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(cell)));
  return column?.align === 'right' ? blanks + style(cell) : style(cell) + blanks;
}
