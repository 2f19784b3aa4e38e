import type { Node, ObjectProperty } from '@babel/types';
import { isNestedTooDeep } from '@tributary/model/file-text';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode } from 'yaml';
import { scriptOf } from './script-parts.js';
import { literalOf, parseScript, parseValue, walk } from './syntax.js';

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
  if (/\.[cm]?[jt]s$/.test(path)) return settingsIn(parseScript(scriptOf(path, text)).program);
  const bare = text.replace(/^\uFEFF/, '');
  if (bare.trim() === '') return [];
  return /\.ya?ml$/.test(path) || !/^\s*(?:[{["']|\/[/*])/.test(bare) ? settingsInYaml(bare) : settingsIn(parseValue(bare));
}

function settingsIn(root: Node): readonly SettingText[] {
  const settings: SettingText[] = [];
  const passedOver = new Set<Node>();
  walk<readonly string[] | 'none'>(root, [], (node, keys) => {
    if (keys === 'none' || passedOver.has(node) || isImport(node)) return 'none';
    const line = node.loc?.start.line ?? 1;
    const value = node.type === 'BooleanLiteral' && node.value ? 'true' : literalOf(node);
    if (value !== undefined) settings.push({ keys, value, role: 'value', line });
    const key = node.type === 'ObjectProperty' ? keyOf(node) : undefined;
    if (node.type !== 'ObjectProperty' || key === undefined) return keys;
    passedOver.add(node.key);
    settings.push({ keys, value: key, role: 'key', line });
    return [...keys, key];
  });
  return settings;
}

function keyOf({ key, computed }: ObjectProperty): string | undefined {
  return key.type === 'Identifier' && !computed ? key.name : literalOf(key);
}

function isImport(node: Node): boolean {
  if (node.type === 'CallExpression') return node.callee.type === 'Identifier' && node.callee.name === 'require';
  return node.type === 'ImportDeclaration' || node.type === 'ImportExpression';
}

function settingsInYaml(text: string): readonly SettingText[] {
  if (isNestedTooDeep(text)) throw new SyntaxError('it is nested too deeply to be read');
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
