import type { DeclaredInputs } from './task-inputs.js';
import { asRecord, type OwnTurboFile, readObject } from './turbo-tasks.js';

/** The inputs of tasks in every turbo.json. */
export interface TurboInputs {
  /** Returns the inputs of a workspace's task, by turborepo's names for both: `@acme/ui`, `build`. */
  readonly of: (workspace: string, task: string) => DeclaredInputs;
  /** Whether every task hashes all files of its workspace. */
  readonly areWhole: boolean;
}

type Tasks = Readonly<Record<string, unknown>>;

/**
 * Reads `inputs` of the root's turbo.json, and of those in workspaces. `unknown` if the inheritance is not supported here. Throws
 * `CONFIG_INVALID`. Source: turborepo.com, "Package Configurations"; tried with turborepo 2.11.9.
 */
export function parseTurboInputs(rootText: string, own: readonly OwnTurboFile[]): TurboInputs {
  const value = readObject(rootText, 'turbo.json');
  const root = asRecord(value['tasks'] ?? value['pipeline']);
  const global = globalInputs(value);
  const files = new Map(own.map(({ workspace, file, text }) => [workspace, readObject(text, file)]));
  const declare = (tasks: Tasks): readonly unknown[] => Object.values(tasks).map((task) => asRecord(task)['inputs']);
  const all = [...declare(root), ...[...files.values()].flatMap((file) => declare(asRecord(file['tasks'])))];
  const isKnown = (task: string): boolean => Object.keys(root).includes(task);
  const arePlain = [...files.values()].every((file) => isPlain(file) && Object.keys(asRecord(file['tasks'])).every(isKnown));
  return {
    areWhole: arePlain && Array.isArray(global) && global.length === 0 && all.every((inputs) => inputs === undefined),
    of: (workspace, task) => {
      const file = files.get(workspace);
      const inherited = ofRoot(value, workspace, task);
      const inputs = file === undefined ? inherited : ofPackage(file, task, inherited);
      return withGlobal(inputs ?? 'unknown', global);
    },
  };
}

/** The entry for one workspace replaces the general one. `undefined` if there is no such task. */
function ofRoot(value: Tasks, workspace: string, task: string): DeclaredInputs | undefined {
  const tasks = asRecord(value['tasks'] ?? value['pipeline']);
  const declared = tasks[`${workspace}#${task}`] ?? tasks[task];
  if (declared === undefined) return undefined;
  const inputs = listOf(asRecord(declared)['inputs']);
  // turborepo 1 had other rules for files that inputs leave out.
  return value['tasks'] === undefined && inputs.length > 0 ? 'unknown' : inputs;
}

function ofPackage(file: Tasks, task: string, inherited: DeclaredInputs | undefined): DeclaredInputs | undefined {
  const declared = asRecord(file['tasks'])[task];
  if (!isPlain(file) || asRecord(declared)['extends'] !== undefined) return 'unknown';
  const own = asRecord(declared)['inputs'];
  if (own === undefined) return inherited ?? (declared === undefined ? undefined : []);
  const inputs = listOf(own);
  if (inputs === 'unknown' || !inputs.includes(EXTENDS)) return inputs;
  if (inherited === undefined || inherited === 'unknown' || inherited.length === 0) return 'unknown';
  return inputs.flatMap((entry) => (entry === EXTENDS ? inherited : [entry]));
}

const EXTENDS = '$TURBO_EXTENDS$';

function isPlain(file: Tasks): boolean {
  return JSON.stringify(file['extends']) === '["//"]';
}

/** Without a list, every file counts. */
function listOf(inputs: unknown): DeclaredInputs {
  if (inputs === undefined) return [];
  return Array.isArray(inputs) && inputs.every((entry): entry is string => typeof entry === 'string') ? inputs : 'unknown';
}

/** With `futureFlags.globalConfiguration`, turborepo adds `global.inputs` to those of each task. */
function globalInputs(value: Tasks): DeclaredInputs {
  const inputs = listOf(asRecord(value['global'])['inputs']);
  if (inputs === 'unknown') return inputs;
  return inputs.map((entry) => entry.replace(/^(!?)(?!\$TURBO_ROOT\$)/, '$1$TURBO_ROOT$/'));
}

function withGlobal(inputs: DeclaredInputs, global: DeclaredInputs): DeclaredInputs {
  if (inputs === 'unknown' || global === 'unknown') return 'unknown';
  if (global.length === 0) return inputs;
  return [...(inputs.length === 0 ? ['$TURBO_DEFAULT$'] : inputs), ...global];
}
