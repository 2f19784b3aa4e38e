import { isDeepStrictEqual } from 'node:util';
import { isNestedTooDeep, withoutBom } from '@tributary/model/file-text';
import { type Document, isCollection, isMap, isPair, isScalar, isSeq, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml';

/** Returns a text as a document; `undefined` if it is not valid YAML, or if its aliases stand for too much. */
export function readYaml(text: string): Document.Parsed | undefined {
  if (isNestedTooDeep(text)) return undefined;
  // Without `prettyErrors`: it takes time for each error, and a text of quotes has as many as characters.
  const document = parseDocument(withoutBom(text), { logLevel: 'error', prettyErrors: false });
  return document.errors.length > 0 || document.warnings.length > 0 || !hasValue(document) ? undefined : document;
}

/** Returns whether a document has a value: aliases of aliases may make it grow without limit. */
function hasValue(document: Document.Parsed): boolean {
  try {
    document.toJS();
    return true;
  } catch {
    return false;
  }
}

/** An entry of a map or list. For a list, `key` is `undefined`. */
interface NewEntry {
  /** The map or list, from the top; created if missing. */
  readonly path: readonly string[];
  readonly key: string | undefined;
  readonly value: unknown;
  /** A comment line above the entry. */
  readonly comment?: string;
}

/**
 * Returns the text with one more entry at the end of a map or list. An entry with the same key is replaced. If the
 * collection is written one entry per line, only lines are added. Any other one is formatted anew, and keeps its
 * comments. The text must be readable.
 */
export function addToYaml(text: string, entry: NewEntry): string {
  const document = readYaml(text);
  if (document === undefined) throw new Error('an entry can only be added to a text that is YAML');
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const wanted = withEntry(document, entry);
  const inserted = insertLines(text, document, entry)?.replace(/\r?\n/g, end);
  // The inserted lines are used only if the result parses to the intended value.
  if (inserted !== undefined && isDeepStrictEqual(readYaml(inserted)?.toJS(), wanted.toJS())) return inserted;
  return wanted.toString({ lineWidth: 0, indentSeq: !/^( *)[^\s#-].*:\r?\n\1- /m.test(text) }).replace(/\r?\n/g, end);
}

function withEntry(document: Document.Parsed, entry: NewEntry): Document.Parsed {
  const copy = document.clone() as Document.Parsed;
  const { path, key, value } = entry;
  const whole = key === undefined ? path : [...path, key];
  // `catalog:` without a value is not a map yet.
  const leaf = whole.findIndex((_, depth) => depth > 0 && !isCollection(copy.getIn(whole.slice(0, depth), true)));
  const top = leaf === -1 ? whole : whole.slice(0, leaf);
  const isListThere = key === undefined && isCollection(copy.getIn(path, true));
  if (isListThere) copy.addIn(path, value);
  else copy.setIn(top, nest(whole.slice(top.length), key === undefined ? [value] : value));
  return copy;
}

/** Returns the text with the entry's lines inserted; `undefined` if they cannot be inserted between lines. */
function insertLines(text: string, document: Document.Parsed, { path, key, value, comment }: NewEntry): string | undefined {
  const above = comment === undefined ? '' : `# ${comment}\n`;
  if (document.contents === null) return `${withLineEnd(text)}${above}${stringify(nest([...path], leafOf(key, value)), { lineWidth: 0 })}`;
  const depth = depthOf(document, path);
  const found: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
  if (!(isMap(found) || isSeq(found)) || found.flow === true || found.items.length === 0) return undefined;
  const column = columnOf(text, found);
  const at = endOf(found, text);
  if (column === undefined || at === undefined) return undefined;
  const added = above + stringify(nest(path.slice(depth), leafOf(key, value)), { lineWidth: 0 });
  const lines = added.trimEnd().split('\n');
  const indented = lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line)).join('\n');
  return `${withLineEnd(text.slice(0, at))}${indented}\n${text.slice(at)}`;
}

function leafOf(key: string | undefined, value: unknown): unknown {
  return key === undefined ? [value] : { [key]: value };
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

/** Returns how many keys of a path exist. */
function depthOf(document: Document.Parsed, path: readonly string[]): number {
  const missing = path.findIndex((_, index) => !document.hasIn(path.slice(0, index + 1)));
  return missing === -1 ? path.length : missing;
}

function columnOf(text: string, collection: YAMLMap | YAMLSeq): number | undefined {
  if (isSeq(collection)) {
    const start = collection.range?.[0];
    return start === undefined ? undefined : start - (text.lastIndexOf('\n', start - 1) + 1);
  }
  const [first] = collection.items;
  const start = isPair(first) && isScalar(first.key) ? first.key.range?.[0] : undefined;
  return start === undefined ? undefined : start - (text.lastIndexOf('\n', start - 1) + 1);
}

/** Returns the offset of the line after the last value. */
function endOf(node: unknown, text: string): number | undefined {
  if ((isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1), text);
  if (isPair(node)) return endOf(node.value ?? node.key, text);
  const range = isScalar(node) || isCollection(node) ? node.range : undefined;
  if (range === undefined || range === null) return undefined;
  if (text[range[1] - 1] === '\n') return range[1];
  const lineEnd = text.indexOf('\n', range[1]);
  return lineEnd === -1 ? text.length : lineEnd + 1;
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
