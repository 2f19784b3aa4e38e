import { isPlainObject } from '@tributary/model/plain-object';
import type { YamlMapping } from './yaml-value.js';

/** One line that a file runs or passes on. */
export interface WorkflowLine {
  readonly text: string;
  /** `command`: a shell runs it. `value`: an input, a variable or a matrix entry, which may become part of a command. */
  readonly kind: 'command' | 'value' | 'uses';
  /** Whether a shell runs what the caller passes, where it is a command as well: `run: ${{ inputs.build_script }}`. */
  readonly isPassed?: true;
}

/** Returns the lines of what counts in a workflow, a job or an action. */
export function linesIn(content: YamlMapping): readonly WorkflowLine[] {
  const lines: WorkflowLine[] = [];
  collect(content, { key: '', isOfAuthor: false, lines });
  return lines;
}

interface Position {
  /** The key of the value. */
  readonly key: string;
  /** Whether the author chose the key, as for variables. */
  readonly isOfAuthor: boolean;
  readonly lines: WorkflowLine[];
}

function collect(value: unknown, place: Position): void {
  const { key, isOfAuthor, lines } = place;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, place);
  } else if (isPlainObject(value)) {
    for (const [name, below] of Object.entries(value)) {
      const isText = typeof below === 'string' || Array.isArray(below);
      if (isOfAuthor || !isText || !RUNS_NOTHING.has(name))
        // The default of an input is what a caller may pass under its name.
        collect(below, { key: name === 'default' ? key : name, isOfAuthor: isOfAuthor || HANDS_ON.has(name), lines });
    }
  } else if (typeof value === 'string') {
    const kind = key === 'uses' && !isOfAuthor ? 'uses' : COMMAND.test(key) ? 'command' : 'value';
    for (const text of splitLines(value)) {
      const isPassed = key === 'run' && !isOfAuthor && COMMAND.test(INPUT.exec(text)?.[1] ?? '');
      lines.push({ text: key === 'working-directory' ? `cd ${text}` : text, kind, ...(isPassed ? { isPassed } : {}) });
    }
  }
}

const HANDS_ON: ReadonlySet<string> = new Set(['with', 'env', 'matrix']);

const RUNS_NOTHING: ReadonlySet<string> = new Set(['id', 'if', 'needs', 'runs-on']);

const COMMAND = /^(?:.*[-_])?(?:command|cmd|script|exec|args)s?$|^(?:run|runCmd|entrypoint|main|pre|post|shell)$/i;

const INPUT = /^\s*\$\{\{\s*inputs\.([\w-]+)\s*\}\}\s*$/;

/** Splits a shell text into lines. Joins continued lines, and omits comments. */
export function splitLines(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:#|$)/.test(line));
}
