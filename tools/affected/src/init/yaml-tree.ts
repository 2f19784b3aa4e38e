import { type Document, isAlias, isMap, isScalar, type Node, type Pair, parseDocument, visit, YAMLMap } from 'yaml';
import { readYaml } from '../ci-files/yaml-value.js';

/** A part of a YAML text as it is written, with its quotes and comments. */
export type YamlNode = Node;

/** Reads a YAML mapping as it is written, with what aliases and merge keys stand for. `undefined` for a text that `readYaml` refuses. */
export function readYamlTree(text: string): YAMLMap | undefined {
  // It bounds what aliases can grow to.
  if ('problem' in readYaml(text)) return undefined;
  const document = parseDocument(text, { schema: 'failsafe', merge: true, uniqueKeys: false, logLevel: 'error' });
  visit(document, {
    Alias: (_, alias) => alias.resolve(document)?.clone() as Node,
    Map: (_, map) => {
      map.items = withMerged(map, document);
    },
  });
  visit(document, {
    Value: (_, node) => {
      delete node.anchor;
    },
  });
  return isMap(document.contents) ? document.contents : undefined;
}

/** Keys of the mapping itself go before merged ones, and earlier ones before later ones. */
function withMerged({ items }: YAMLMap, document: Document): Pair[] {
  const own = items.filter((pair) => !isMergeKey(pair));
  const known = new Set(own.map(keyOf));
  const merged = items.filter(isMergeKey).flatMap(({ value }) => mappingsIn(value, document).flatMap((map) => withMerged(map, document)));
  for (const pair of merged) {
    if (known.has(keyOf(pair))) continue;
    known.add(keyOf(pair));
    own.push(pair.clone());
  }
  return own;
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && key.source === '<<' && key.type === 'PLAIN';
}

function mappingsIn(value: unknown, document: Document): readonly YAMLMap[] {
  const found = isAlias(value) ? value.resolve(document) : value;
  if (isMap(found)) return [found];
  return typeof found === 'object' && found !== null && 'items' in found
    ? (found.items as readonly unknown[]).flatMap((one) => mappingsIn(one, document))
    : [];
}

export function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

/** Returns the entries of a mapping, by name; none if it is something else. */
export function entriesOf(node: unknown): ReadonlyMap<string, YamlNode> {
  return new Map(isMap(node) ? node.items.map((pair) => [keyOf(pair), pair.value as YamlNode]) : []);
}

/** Returns lines of YAML that have these entries, at a depth. */
export function yamlLines(entries: Readonly<Record<string, YamlNode>>, depth: number): string {
  const map = new YAMLMap();
  for (const [name, node] of Object.entries(entries)) map.set(name, node);
  const document = parseDocument('', { schema: 'failsafe' });
  document.contents = map as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).replace(/^(?=.)/gm, ' '.repeat(depth));
}
