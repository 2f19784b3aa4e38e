import { isNestedTooDeep, withoutBom } from '@tributary/model/file-text';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode } from 'yaml';
import { LITERAL, matchWithLines, type Placed } from './code-literals.js';

/** A text in a tool's settings. `true` counts as one too. */
export interface SettingText {
  /** The keys that lead to it, only those of objects. */
  readonly keys: readonly string[];
  readonly value: string;
  /** Whether it is itself a key; the last of `keys` is then its parent. */
  readonly role: 'key' | 'value';
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Returns the texts in a settings file, in order: code, JSON with or without comments, or YAML. In code, every object
 * counts, regardless of its use, but not imports. Throws `SyntaxError` for an unreadable file.
 */
export function readSettings(path: string, text: string): readonly SettingText[] {
  const bare = withoutBom(text);
  if (isNestedTooDeep(bare)) throw new SyntaxError('it is nested too deeply to be read');
  if (bare.trim() === '') return [];
  const isCode = /\.[cm]?[jt]s$/.test(path) || (!/\.ya?ml$/.test(path) && /^\s*(?:[{["']|\/[/*])/.test(bare));
  return isCode ? settingsInCode(bare) : settingsInYaml(bare);
}

const TOKEN = String.raw`${LITERAL}|[{}()[\],;:]|[\w$]+`;

interface Bracket {
  readonly opened: string;
  /** The keys that lead to it. */
  readonly keys: readonly string[];
  /** In an object, the key of the current value. */
  key: string | undefined;
}

/** Returns the texts in objects and lists of code or JSON, from its tokens. */
function settingsInCode(code: string): readonly SettingText[] {
  const tokens = matchWithLines(code, TOKEN).filter(({ text }) => !text.startsWith('/'));
  const settings: SettingText[] = [];
  const outer: Bracket[] = [];
  let inner: Bracket = { opened: '', keys: [], key: undefined };
  for (const [at, { text, line }] of tokens.entries()) {
    const keys = inner.key === undefined ? inner.keys : [...inner.keys, inner.key];
    if (/^[{[(]$/.test(text)) {
      outer.push(inner);
      inner = { opened: text, keys, key: undefined };
    } else if (/^[}\])]$/.test(text)) inner = outer.pop() ?? notClosed();
    else if (/^[,;]$/.test(text)) inner.key = undefined;
    else if (inner.opened === '{' && isKey(tokens, at)) {
      inner.key = text.replace(/^["'`]|["'`]$/g, '');
      settings.push({ keys: inner.keys, value: inner.key, role: 'key', line });
    } else if (isValue(tokens, at)) settings.push({ keys, value: text.replace(/^["'`]|["'`]$/g, ''), role: 'value', line });
  }
  return outer.length === 0 ? settings : notClosed();
}

function notClosed(): never {
  throw new SyntaxError('its brackets do not match');
}

function isKey(tokens: readonly Placed[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  return tokens[at + 1]?.text === ':' && (before === '{' || before === ',');
}

/** Whether a token is a text, or `true`. Imports have their own reader. */
function isValue(tokens: readonly Placed[], at: number): boolean {
  const [called, before, text = ''] = [at - 2, at - 1, at].map((index) => tokens[index]?.text);
  if (before === 'from' || before === 'import' || (before === '(' && (called === 'require' || called === 'import'))) return false;
  return text === 'true' || (/^["'`]/.test(text) && !(text.startsWith('`') && text.includes('${')));
}

function settingsInYaml(text: string): readonly SettingText[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [problem] = document.errors;
  if (problem !== undefined) throw new SyntaxError(problem.message.split('\n')[0]);
  return collectYaml(document.contents, [], (node) => lineCounter.linePos(node.range?.[0] ?? 0).line);
}

function collectYaml(node: unknown, keys: readonly string[], lineOf: (node: YamlNode) => number): readonly SettingText[] {
  if (isSeq(node)) return node.items.flatMap((item) => collectYaml(item, keys, lineOf));
  if (isScalar(node)) {
    const { value } = node;
    return typeof value === 'string' || value === true ? [{ keys, value: String(value), role: 'value', line: lineOf(node) }] : [];
  }
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }): readonly SettingText[] => {
    if (!isScalar(key) || typeof key.value !== 'string') return [];
    return [{ keys, value: key.value, role: 'key', line: lineOf(key) }, ...collectYaml(value, [...keys, key.value], lineOf)];
  });
}
