import { conflictLine, isNestedTooDeep, withoutBom } from '@tributary/model/file-text';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseDocument } from 'yaml';

/** One line that a file runs or passes on. */
export interface WorkflowLine {
  readonly text: string;
  /** `command`: a shell runs it. `value`: an input, a variable or a matrix entry, which may become part of a command. */
  readonly kind: 'command' | 'value' | 'uses';
}

/** The content of a workflow or action, or a clause why it is unknown. */
export type WorkflowText = { readonly lines: readonly WorkflowLine[] } | { readonly problem: string };

/** Reads a workflow or an action file of GitHub. It omits names, conditions, triggers and permissions, which run nothing. */
export function readWorkflow(text: string): WorkflowText {
  const conflict = conflictLine(text);
  if (conflict !== undefined) return { problem: `line ${conflict} is a conflict marker` };
  if (isNestedTooDeep(text)) return { problem: 'it is nested too deeply to be read' };
  const document = parseDocument(withoutBom(text), { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return { problem: `line ${text.slice(0, error.pos[0]).split('\n').length}: ${error.message}` };
  const value = plainValue(document);
  if (!isPlainObject(value)) return { problem: 'it is not a YAML mapping' };
  const lines: WorkflowLine[] = [];
  collect(value, { key: '', keys: 'mapping', lines });
  const unknown = lines.find((line) => line.kind === 'uses' && /\$\{\{/.test(line.text));
  return unknown === undefined ? { lines } : { problem: `"uses: ${unknown.text}" is an expression` };
}

/** Returns `undefined` if aliases make the document grow without limit. */
function plainValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

interface Position {
  /** The key of the value. */
  readonly key: string;
  /**
   * `mapping`: GitHub defines the keys. `names`: the author does, as for jobs. `values`: the author defines all nested keys too, as for
   * variables.
   */
  readonly keys: 'mapping' | 'names' | 'values';
  readonly lines: WorkflowLine[];
}

function collect(value: unknown, place: Position): void {
  const { key, keys, lines } = place;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, place);
  } else if (isPlainObject(value)) {
    for (const [name, below] of Object.entries(value)) {
      if (keys === 'mapping' && RUNS_NOTHING.has(name)) continue;
      collect(below, { key: name, keys: keys === 'values' ? keys : keysBelow(name, keys), lines });
    }
  } else if (typeof value === 'string') {
    const kind = key === 'uses' && keys === 'mapping' ? 'uses' : COMMAND.test(key) ? 'command' : 'value';
    for (const text of splitLines(value)) lines.push({ text: key === 'working-directory' ? `cd ${text}` : text, kind });
  }
}

function keysBelow(name: string, keys: Position['keys']): Position['keys'] {
  if (keys === 'names') return 'mapping';
  if (HANDS_ON.has(name)) return 'values';
  return NAMES.has(name) ? 'names' : 'mapping';
}

const HANDS_ON: ReadonlySet<string> = new Set(['with', 'env', 'matrix']);
/** Includes triggers, because the defaults of their inputs may become part of a command. */
const NAMES: ReadonlySet<string> = new Set(['jobs', 'services', 'inputs', 'on']);

const RUNS_NOTHING: ReadonlySet<string> = new Set([
  'author',
  'branding',
  'branches',
  'branches-ignore',
  'concurrency',
  'cron',
  'description',
  'id',
  'if',
  'name',
  'needs',
  'outputs',
  'paths',
  'paths-ignore',
  'permissions',
  'run-name',
  'runs-on',
  'tags',
  'tags-ignore',
  'types',
  'workflows',
]);

const COMMAND = /^(?:.*[-_])?(?:command|cmd|script|exec|args)s?$|^(?:run|runCmd|entrypoint|main|pre|post|shell)$/i;

/** Splits a shell text into lines. Joins continued lines, and omits comments. */
export function splitLines(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:#|$)/.test(line));
}
