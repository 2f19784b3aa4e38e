import type { Node } from 'jsonc-parser';

/** A value to write into a JSON text. */
interface Writing {
  readonly value: unknown;
  /** An offset on the line whose indentation the value gets. */
  readonly at: number;
  /** The current value. If it is a list or object on one line, the new value stays on one line. */
  readonly instead?: Node;
  /** The list or object that contains the value. If it is on one line, the value is too. */
  readonly inside?: Node;
}

/** The maximum length of a line. */
const WIDTH = 100;

/** Returns a value formatted like the text around it: same indentation, same line ends, and on one line if its neighbours are. */
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
