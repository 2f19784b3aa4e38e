import { conflictLine, isNestedTooDeep, withoutBom } from '@tributary/model/file-text';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseDocument } from 'yaml';

/** One line of what a file runs, or hands on. */
export interface Line {
  readonly text: string;
  /** `command`: a shell runs it. `value`: an input, a variable, an entry of a matrix, which may be, or become, a part of a command. */
  readonly kind: 'command' | 'value' | 'uses';
}

/** What a workflow or an action says, or in half a sentence why that cannot be known. */
export type WorkflowText = { readonly lines: readonly Line[] } | { readonly problem: string };

/** Reads a workflow, or the file of an action, of GitHub. Names, conditions, triggers and permissions run nothing, and are left out. */
export function readWorkflow(text: string): WorkflowText {
  const conflict = conflictLine(text);
  if (conflict !== undefined) return { problem: `line ${conflict} is a conflict marker` };
  if (isNestedTooDeep(text)) return { problem: 'it is nested too deeply to be read' };
  const document = parseDocument(withoutBom(text), { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return { problem: `line ${text.slice(0, error.pos[0]).split('\n').length}: ${error.message}` };
  const value = plainValue(document);
  if (!isPlainObject(value)) return { problem: 'it is not a YAML mapping' };
  const lines: Line[] = [];
  collect(value, { key: '', keys: 'mapping', lines });
  const unknown = lines.find((line) => line.kind === 'uses' && /\$\{\{/.test(line.text));
  return unknown === undefined ? { lines } : { problem: `"uses: ${unknown.text}" is an expression` };
}

/** `undefined` where aliases make it grow without end. */
function plainValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

interface Place {
  /** The key that the value stands at. */
  readonly key: string;
  /** `mapping`: its keys are GitHub's; `names`: the author's, as of jobs; `values`: the author's, all the way down, as of variables. */
  readonly keys: 'mapping' | 'names' | 'values';
  readonly lines: Line[];
}

function collect(value: unknown, place: Place): void {
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

function keysBelow(name: string, keys: Place['keys']): Place['keys'] {
  if (keys === 'names') return 'mapping';
  if (HANDS_ON.has(name)) return 'values';
  return NAMES.has(name) ? 'names' : 'mapping';
}

const HANDS_ON: ReadonlySet<string> = new Set(['with', 'env', 'matrix']);
/** Triggers are here for their inputs, whose defaults may become a part of a command. */
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

/** The lines of a shell text. What the next line goes on with is the same line; comments run nothing. */
export function splitLines(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:#|$)/.test(line));
}
