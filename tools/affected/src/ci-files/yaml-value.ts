import { conflictLine, isNestedTooDeep, lineAt, withoutBom } from '@tributary/model/file-text';
import { isPlainObject } from '@tributary/model/plain-object';
import { type Document, isScalar, parseDocument, visit } from 'yaml';

/** A mapping of YAML, whose plain values are texts. */
export type YamlMapping = Readonly<Record<string, unknown>>;

/** The content of a file, or a clause why it is unknown. */
export type Readable<T> = { readonly value: T } | { readonly problem: string };

/** Reads YAML with anchors and merge keys. Comments, quotes and the order of keys make no difference; types of values do. */
export function readYaml(text: string): Readable<YamlMapping> {
  const conflict = conflictLine(text);
  if (conflict !== undefined) return { problem: `line ${conflict} is a conflict marker` };
  if (isNestedTooDeep(text)) return { problem: 'it is nested too deeply to be read' };
  // As texts, because engines read numbers differently: 3.10 may be 3.1.
  const options = { schema: 'failsafe', merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(withoutBom(text), options);
  const [flaw] = [...document.errors, ...document.warnings];
  if (flaw !== undefined) return { problem: `line ${lineAt(text, flaw.pos[0])}: ${flaw.message}` };
  const repeated = repeatedKey(document);
  if (repeated !== undefined) return { problem: `line ${lineAt(text, repeated)}: Map keys must be unique` };
  markQuoted(document);
  const value = plainValue(document);
  if (value === undefined) return { problem: 'its aliases have no end' };
  return isPlainObject(value) ? { value } : { problem: 'it is not a YAML mapping' };
}

/** Returns the offset of a key that its mapping has twice. The parser itself compares every key with every other one. */
function repeatedKey(document: Document): number | undefined {
  let repeated: number | undefined;
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (isScalar(key) && known.has(key.value)) repeated ??= key.range?.[0] ?? 0;
        known.add(isScalar(key) ? key.value : key);
      }
    },
  });
  return repeated;
}

/** Keeps the quotes of texts that would be numbers or truth values without them. */
function markQuoted(document: Document): void {
  visit(document, {
    Scalar: (key, node) => {
      if (key !== 'key' && node.type !== 'PLAIN' && typeof node.value === 'string' && NO_TEXT.test(node.value))
        node.value = `'${node.value}'`;
    },
  });
}

/** What YAML 1.1 or 1.2 reads as something else than a text. */
const NO_TEXT = /^(?:|~|[<=]|null|y|n|yes|no|on|off|true|false|[-+]?0[xob][\da-f_]+|[-+]?[\d.][\d_.:e+-]*|[-+]?\.(?:inf|nan))$/i;

/** Returns `undefined` if aliases make the document grow without limit, or contain themselves. */
function plainValue(document: Document): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}
