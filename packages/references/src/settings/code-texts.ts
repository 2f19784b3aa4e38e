import { isNestedTooDeep, withoutBom } from '@tributary/model/file-text';
import { LITERAL, matchWithLines, type Placed } from '../code-literals.js';
import { DEEPEST, type KeyedText, shorten, type TextsRead } from './keyed-text.js';

const TOKEN = String.raw`${LITERAL}|[{}()[\],;:]|[\w$]+`;

/** In characters. No settings are as long. */
const LONGEST = 100_000;

interface Bracket extends Pick<KeyedText, 'keys' | 'key'> {
  readonly opened: string;
  /** In an object, the key of the current value; in a list, its index. */
  at: string | undefined;
}

/**
 * Reads the objects and lists in code, or in JSON5, from its tokens: every object counts, whatever the code does with it, but only literal
 * strings, and none of imports. Never throws.
 */
export function readCodeTexts(code: string): TextsRead {
  if (code.length > LONGEST || isNestedTooDeep(code)) return { values: [], members: [], isWhole: false };
  const tokens = matchWithLines(withoutBom(code), TOKEN).filter(({ text }) => !text.startsWith('/'));
  const found: Record<'values' | 'members', KeyedText[]> = { values: [], members: [] };
  const outer: Bracket[] = [];
  let inner: Bracket = { opened: '', keys: [], key: '', at: undefined };
  let isWhole = true;
  for (const [index, { text, line }] of tokens.entries()) {
    const place = placeIn(inner);
    if (place.keys.length > DEEPEST) isWhole = false;
    if (/^[{[(]$/.test(text)) {
      outer.push(inner);
      inner = { ...place, opened: text, at: text === '[' ? '0' : undefined };
    } else if (/^[}\])]$/.test(text)) {
      isWhole &&= outer.length > 0;
      inner = outer.pop() ?? inner;
    } else if (/^[,;]$/.test(text)) inner.at = inner.opened === '[' ? String(Number(inner.at) + 1) : undefined;
    else if (inner.opened === '{' && isKey(tokens, index)) {
      inner.at = shorten(unquote(text));
      if (tokens[index + 2]?.text !== 'false') found.members.push({ ...placeIn(inner), keys: inner.keys, line, text: unquote(text) });
    } else if (place.keys.length <= DEEPEST && isText(tokens, index, place.keys))
      found.values.push({ ...place, line, text: unquote(text) });
  }
  return { ...found, isWhole: isWhole && outer.length === 0 };
}

/** Returns the keys of the current value. Strings of keys are extended, not joined: joining long ones for each value would take too long. */
function placeIn({ keys, key, at }: Bracket): Pick<KeyedText, 'keys' | 'key'> {
  if (at === undefined || keys.length > DEEPEST) return { keys, key };
  return { keys: [...keys, at], key: key === '' ? at : `${key}.${at}` };
}

function unquote(text: string): string {
  return text.replace(/^["'`]|["'`]$/g, '');
}

function isKey(tokens: readonly Placed[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  return tokens[at + 1]?.text === ':' && (before === '{' || before === ',');
}

/** Outside of all objects, only what a file exports is a setting. Imports have their own reader. */
function isText(tokens: readonly Placed[], at: number, keys: readonly string[]): boolean {
  const [called, before = '', text = ''] = [at - 2, at - 1, at].map((index) => tokens[index]?.text);
  if (!/^["'`]./s.test(text) || text.length < 3 || (text.startsWith('`') && text.includes('${'))) return false;
  if (before === 'from' || before === 'import' || (before === '(' && /^(?:require|resolve|import)$/.test(called ?? ''))) return false;
  return keys.length > 0 || before === 'default' || before === 'exports' || tokens.length === 1;
}
