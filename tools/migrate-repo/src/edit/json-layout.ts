import type { Node } from 'jsonc-parser';

/** A value that is to be written into a text of JSON. */
interface Writing {
  readonly value: unknown;
  /** Where a line begins whose indentation it gets, or any place on that line. */
  readonly at: number;
  /** What stands there now: a list or an object on one line is followed by one on one line. */
  readonly instead?: Node;
  /** The list or object that it comes into: on one line if that is. */
  readonly inside?: Node;
}

/** As long a line may get. */
const WIDTH = 100;

/** A value laid out as the text around it is: with its indentation and line ends, on one line where its neighbours are. */
export function layJsonOut(text: string, { value, at, instead, inside }: Writing): string {
  if (!/[\n\r]/.test(text.trim())) return /[:,][ ]|[{[] /.test(text) ? onOneLine(value) : JSON.stringify(value);
  const line = onOneLine(value);
  const isSameKind = instead !== undefined && /^[[{]/.test(text.slice(instead.offset)) && text[instead.offset] === line[0];
  const around = isSameKind ? instead : inside;
  const isShort = around !== undefined && around.children?.length !== 0 && isOnOneLine(text, around) && line.length <= WIDTH;
  if (isShort) return line;
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
  const unit = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const own = inside !== undefined && inside.children?.length === 0 ? indent + unit : indent;
  return JSON.stringify(value, null, unit).replace(/\n/g, (text.includes('\r\n') ? '\r\n' : '\n') + own);
}

function isOnOneLine(text: string, { offset, length }: Node): boolean {
  return !/[\n\r]/.test(text.slice(offset, offset + length));
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${onOneLine(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
