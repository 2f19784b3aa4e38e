import { wideNames } from './settings/short-names.js';

/** A script that `yarn`, `npm` or `run` starts by name. */
export interface CalledScript {
  /** As in the source; `*` matches anything. */
  readonly name: string;
  /** `root`: that of the root, as in `yarn run -T`; `own`: that of the calling folder. */
  readonly of: 'root' | 'own' | 'anybody';
}

/** The workspaces in which a command runs something. */
export interface RunSelection {
  /** Names, paths and globs. */
  readonly patterns: readonly string[];
  /** The workspaces if there are no patterns: every one, those below the own folder, or none. */
  readonly others: 'all' | 'below' | 'none';
}

const QUOTED = /(["'])((?:(?!\1).)*\s(?:(?!\1).)*)\1/gs;

/**
 * Returns the commands of a script, each as its words. Several words in quotes are also a command, as for `concurrently`. It looks only at
 * words, unlike a shell, because finding one workspace too many is better than one too few.
 */
export function commandsOf(text: string): readonly (readonly string[])[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, , inner = '']) => inner);
  const commands = text.replace(QUOTED, ' ').split(/\s(?:\|\|?|&)\s|&&|;|\n/);
  const own = commands.map((command) =>
    command
      .replace(/["'`\\]/g, '')
      .split(/\s+/)
      .map(bare),
  );
  return [...own.map((words) => words.filter((word) => word !== '')), ...quoted.flatMap(commandsOf)];
}

/** `$(yarn` -> `yarn`, but `@(a|b)` stays. */
function bare(word: string): string {
  return word.includes('(') && word.includes(')') ? word : word.replace(/^\$?\(+|\)+$/g, '');
}

/** Tells whether a command calls a tool by its name, its path, or its name with a version. */
export function calls(words: readonly string[], tool: string): boolean {
  return words.some((word) => word.replace(/^.*\//, '').replace(/@.*$/, '') === tool);
}

/** Returns the workspaces of a command that is started in `where`. */
export function selectionOf(words: readonly string[], where: 'root' | 'workspace'): RunSelection {
  return { patterns: patternsOf(words).filter((pattern) => pattern !== ''), others: othersOf(words, where) };
}

const OPTION = /^(?:--(?:filter|scope|include|from|workspace)|-F|-w)(?:=(.*))?$/s;

function patternsOf(words: readonly string[]): readonly string[] {
  const hasOptions = ['turbo', 'lerna', 'npm', 'foreach'].some((tool) => calls(words, tool));
  return words.flatMap((word, at) => {
    const next = words[at + 1] ?? '';
    if (word === 'workspace') return [next];
    if (/^--include-(?:filtered-)?dependents$/.test(word)) return ['**'];
    // `turbo run b#gen`
    if (/^[^#]+#[^#]+$/.test(word) && calls(words, 'turbo')) return [word.replace(/#.*$/, '')];
    const option = hasOptions ? OPTION.exec(word) : null;
    return option === null ? [] : [plainPattern(option[1] ?? next)];
  });
}

/** Turns turborepo filters for dependents, changes or exclusions into one for everything. */
function plainPattern(value: string): string {
  const name = value.replace(/(?:\^?\.\.\.)$/, '').replace(/^\{(?!.*,)(.*)\}$/, '$1');
  return /^!|^\.\.\.|\[.*\]/.test(name) ? '**' : name;
}

function othersOf(words: readonly string[], where: 'root' | 'workspace'): RunSelection['others'] {
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  if (calls(words, 'foreach')) {
    if (where === 'root' || has(/^(?:-[a-zA-Z]*A[a-zA-Z]*|--all|--since.*)$/)) return 'all';
    return has(/^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/) ? 'none' : 'below';
  }
  const isAll =
    (has(/^workspaces$/) && has(/^run$/)) ||
    (calls(words, 'lerna') && has(/^(?:run|exec)$/)) ||
    (calls(words, 'nx') && has(/^(?:run-many|affected(?::.*)?)$/) && !has(/^(?:-p|--projects?)(?:=|$)/)) ||
    (calls(words, 'npm') && has(/^(?:--workspaces|-ws)$/)) ||
    // In a workspace, turborepo runs only the tasks of that workspace.
    (calls(words, 'turbo') && where === 'root');
  return isAll ? 'all' : 'none';
}

/** Returns the paths that a root command names, as in `cd packages/b` and `node packages/b/gen.js`. */
export function pathsOf(words: readonly string[]): readonly string[] {
  const isFolder = (at: number): boolean => /^(?:cd|--cwd|--prefix|-C)$/.test(words[at - 1] ?? '');
  return words.flatMap((word, at) => word.split('=').filter((part) => part.includes('/') || isFolder(at)));
}

/** Options of Node and of test runners that load a module: `--test-reporter`, `--testRunner`, `--globalSetup`. */
const LOADS =
  /^(?:-r|--(?:[\w-]*-)?(?:require|import|loader|env|environment|preset|resolver|ui|\w*(?:[rR]unner|[rR]eporters?|Setup|Teardown)))$/;

/** Returns what the modules may be called that a command loads, and all scoped names: `jest --env acme`, `eslint -c @acme/eslint-config`. */
export function modulesOf(words: readonly string[]): readonly string[] {
  const parts = words.flatMap((word) => word.split('='));
  return parts.flatMap((part, at) => (LOADS.test(parts[at - 1] ?? '') ? wideNames(part) : /^@[^/]+\/./.test(part) ? [part] : []));
}

/** Options followed by a value. */
const WITH_VALUE = /^(?:--cwd|--prefix|-C|-w|--workspace)$/;

/** Returns the scripts that a command calls by name, without those of workspaces that it names. */
export function calledScripts(words: readonly string[]): readonly CalledScript[] {
  const several = words.findIndex((word) => /^(?:run-[sp]|npm-run-all2?)$/.test(word));
  const listed = several === -1 ? [] : words.slice(several + 1).filter((word) => !word.startsWith('-'));
  const isForOthers = words.some((one) => FOR_OTHERS.test(one));
  return [...words.flatMap((_, at) => calledAt(words, at, isForOthers)), ...listed.map((name): CalledScript => ({ name, of: 'own' }))];
}

/** Words that make `run` refer to other workspaces' scripts. */
const FOR_OTHERS = /(?:^|\/)(?:turbo|lerna|nx|foreach|workspaces?|--workspaces?(?:=.*)?|-ws?)$/;

function calledAt(words: readonly string[], at: number, isForOthers: boolean): readonly CalledScript[] {
  const word = words[at] ?? '';
  const [, task] = /^\/\/#(.+)$/.exec(word) ?? [];
  if (task !== undefined) return [{ name: task, of: 'root' }];
  // `concurrently yarn:gen`
  const [, direct] = /^(?:yarn|npm):(.+)$/.exec(word) ?? [];
  if (direct !== undefined) return [{ name: direct, of: 'anybody' }];
  if (!/(?:^|\/)(?:yarn(?:pkg|[\w.-]*\.[cm]?js)?|npm)$|npm_execpath/.test(word) && !(word === 'run' && !isForOthers)) return [];
  if (isForOthers && word.endsWith('npm')) return [];
  let next = at + 1;
  for (; /^(?:-.*|run|run-script)$/.test(words[next] ?? ''); next++) if (WITH_VALUE.test(words[next] ?? '')) next++;
  const name = words[next];
  const isOfRoot = words.slice(at + 1, next).some((option) => /^(?:-[a-zA-Z]*T[a-zA-Z]*|--top-level)$/.test(option));
  return name === undefined ? [] : [{ name, of: isOfRoot ? 'root' : 'anybody' }];
}
