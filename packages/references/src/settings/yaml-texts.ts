import { conflictLine, isNestedTooDeep, withoutBom } from '@tributary/model/file-text';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseAllDocuments } from 'yaml';
import { DEEPEST, type KeyedText, keyedText, memberText, shorten, type TextsRead } from './keyed-text.js';

/** In characters. The library takes a second for half a megabyte of odd signs, and no settings are as long. */
const LONGEST = 200_000;

/** The number of nodes to visit, with those that aliases repeat: ten short lines of aliases can stand for billions. */
const MOST_NODES = 100_000;

interface Walk {
  readonly lines: LineCounter;
  readonly anchors: Map<string, ParsedNode>;
  readonly values: KeyedText[];
  readonly members: KeyedText[];
  nodes: number;
  isWhole: boolean;
}

/** Reads YAML, all documents of it, with aliases and merge keys. Reads as much as possible of a broken file. Never throws. */
export function readYamlTexts(text: string): TextsRead {
  if (text.length > LONGEST || isNestedTooDeep(text) || conflictLine(text) !== undefined)
    return { values: [], members: [], isWhole: false };
  const lines = new LineCounter();
  const walk: Walk = { lines, anchors: new Map(), values: [], members: [], nodes: 0, isWhole: true };
  // Comparing each key with all others would take time squared.
  const documents = parseAllDocuments(withoutBom(text), { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  for (const document of Array.isArray(documents) ? documents : []) {
    if (document.errors.length > 0) walk.isWhole = false;
    if (document.contents !== null) visitNode(walk, document.contents, []);
  }
  return walk;
}

function visitNode(walk: Walk, node: ParsedNode | null, keys: readonly string[]): void {
  walk.nodes++;
  if (walk.nodes > MOST_NODES || keys.length > DEEPEST) walk.isWhole = false;
  else if (isAlias(node)) {
    const target = walk.anchors.get(node.source);
    if (target === undefined) walk.isWhole = false;
    else visitNode(walk, target, keys);
  } else if (node !== null) visitContent(walk, node, keys);
}

function visitContent(walk: Walk, node: ParsedNode, keys: readonly string[]): void {
  if ('anchor' in node && node.anchor !== undefined) walk.anchors.set(node.anchor, node);
  if (isScalar(node)) return takeScalar(walk, node, keys);
  if (isSeq(node)) {
    for (const [at, item] of node.items.entries()) visitNode(walk, item, [...keys, String(at)]);
  } else if (isMap(node)) {
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      // What is merged belongs to the map itself.
      if (name !== '' && !(isScalar(value) && value.value === false)) walk.members.push(memberText(keys, lineOf(walk, key), name));
      if (name !== '<<') visitNode(walk, value, [...keys, shorten(name)]);
      else for (const merged of isSeq(value) ? value.items : [value]) visitNode(walk, merged as ParsedNode, keys);
    }
  }
}

function takeScalar(walk: Walk, scalar: Placed & { readonly value: unknown }, keys: readonly string[]): void {
  const { value } = scalar;
  if (typeof value === 'string' && value !== '') walk.values.push(keyedText(keys, lineOf(walk, scalar), value));
}

interface Placed {
  readonly range?: readonly number[] | null;
}

function lineOf({ lines }: Walk, { range }: Placed): number {
  return lines.linePos(range?.[0] ?? 0).line;
}
