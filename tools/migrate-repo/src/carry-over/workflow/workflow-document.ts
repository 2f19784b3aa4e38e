import { isPlainObject } from '@tributary/model/plain-object';
import { isMap, isScalar, isSeq, type Node, type Scalar, visit, type YAMLMap } from 'yaml';
import { readYaml } from '../../edit/edit-yaml.js';

/** A workflow, with the positions of its parts in the text. */
export interface WorkflowDocument {
  readonly text: string;
  readonly root: YAMLMap;
  readonly value: Readonly<Record<string, unknown>>;
  readonly jobs: readonly Job[];
}

export interface Job {
  readonly id: string;
  /** The position of its name. */
  readonly offset: number;
  readonly node: YAMLMap;
  /** Empty for a job that calls another workflow. */
  readonly steps: readonly Step[];
}

/** A step of a job or of a composite action. */
export interface Step {
  readonly node: YAMLMap;
  /** The action without its version: `actions/checkout`; `undefined` for a step that runs commands. */
  readonly action: string | undefined;
  readonly runs: boolean;
}

/** A replacement at a position in a text, as in `applyEdits` of jsonc-parser. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/**
 * Parses a workflow. Returns `undefined` for an invalid one, for flow style, and for aliases, because their text stands
 * for several places.
 */
export function readWorkflow(text: string): WorkflowDocument | undefined {
  const root = readRoot(text);
  const value: unknown = root?.toJSON();
  const jobs = root === undefined ? undefined : mapAt(root, 'jobs');
  if (root === undefined || jobs === undefined || !isPlainObject(value) || value['on'] === undefined) return undefined;
  const entries = jobs.items.map(({ key, value: node }) =>
    isMap(node) ? { id: nameOf(key), offset: offsetOf(key), node, steps: stepsOf(node) } : undefined,
  );
  return entries.includes(undefined) ? undefined : { text, root, value, jobs: entries.filter((one) => one !== undefined) };
}

/** Returns the top map of a file in block style, without aliases. */
export function readRoot(text: string): YAMLMap | undefined {
  const document = readYaml(text);
  if (document === undefined || !isMap(document.contents) || document.contents.flow === true) return undefined;
  let aliases = 0;
  visit(document, { Alias: () => void aliases++ });
  return aliases > 0 ? undefined : document.contents;
}

export function mapAt(node: YAMLMap, key: string): YAMLMap | undefined {
  const found: unknown = node.get(key, true);
  return isMap(found) ? found : undefined;
}

export function scalarAt(node: YAMLMap, key: string): Scalar | undefined {
  const found: unknown = node.get(key, true);
  return isScalar(found) ? found : undefined;
}

/** Returns the text of a key; `undefined` if it does not exist, or is not text. */
export function textAt(node: YAMLMap, key: string): string | undefined {
  const value = scalarAt(node, key)?.value;
  return typeof value === 'string' ? value : undefined;
}

export function stepsOf(node: YAMLMap): readonly Step[] {
  const steps: unknown = node.get('steps', true);
  const maps = isSeq(steps) ? steps.items.filter((step) => isMap(step)) : [];
  return maps.map((step) => ({ node: step, action: textAt(step, 'uses')?.replace(/@.*$/, ''), runs: step.has('run') }));
}

/** Returns every text in a part of a file. */
export function textsIn(node: Node): readonly Scalar<string>[] {
  const found: Scalar<string>[] = [];
  visit(node, {
    Scalar: (key, scalar) => {
      if (key !== 'key' && typeof scalar.value === 'string') found.push(scalar as Scalar<string>);
    },
  });
  return found;
}

/** Inserts a key before the others of a map. */
export function insertFirst(text: string, map: YAMLMap, lines: readonly string[]): TextEdit {
  const start = map.range?.[0] ?? 0;
  if (map.flow === true) return { offset: start + 1, length: 0, content: ` ${onOneLine(lines)}${map.items.length === 0 ? '' : ','}` };
  const [first] = map.items;
  const offset = (isScalar(first?.key) ? first.key.range?.[0] : undefined) ?? start;
  const column = offset - (text.lastIndexOf('\n', offset - 1) + 1);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return { offset, length: 0, content: lines.map((line) => `${line}${end}${' '.repeat(column)}`).join('') };
}

/** Converts `defaults:`, `  run:`, `    working-directory: x` to `defaults: { run: { working-directory: x } }`. */
function onOneLine(lines: readonly string[]): string {
  return lines.map((line, at) => (at < lines.length - 1 ? `${line.trim()} {` : line.trim())).join(' ') + ' }'.repeat(lines.length - 1);
}

/** Returns the position of a key in a map; 0 if it does not exist. */
export function offsetOfKey(map: YAMLMap, key: string): number {
  return offsetOf(map.items.find((pair) => nameOf(pair.key) === key)?.key);
}

function offsetOf(key: unknown): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
