import { addFound, type Scan } from './scan.js';
import { cutPattern, normalize, readPath } from './written-path.js';

const LONGEST = 300;
/** Functions that start a command line; other words of prose may have the name of a file. */
const STARTER = /^(?:exec|spawn|execa|execFile|execaCommand|shell)(?:Sync)?$/;

/**
 * Examines a string, or a piece of a template, for paths that begin at the top of the project, where a program may start: `data/a.json`,
 * `node tools/a.js`. A bare name is one if it has an extension, is written like LICENSE, or is joined to others. `from`: after the quote; `callOf`: returns the
 * function that the string is an argument of. What is in `node_modules` is named by its package.
 */
export function readStartPaths(scan: Scan, from: number, callOf: () => string = () => ''): void {
  const { text, at: end, scope } = scan;
  if (scope.entries.size === 0 || end - from >= LONGEST) return;
  const isOpen = text[end - 1] === '{';
  const value = text.slice(from, end - (isOpen ? 2 : 1));
  // Prose seldom has a slash.
  const isCommand = (): boolean => value.includes('/') || (scope.reach === 'inside' && STARTER.test(callOf()));
  const words = !/\s/.test(value) ? [value] : isCommand() ? value.split(/[\s'"`|&;<>()=,:]+/) : [];
  for (const [at, word] of words.entries()) {
    // With a slash in front, as in `ROOT + '/data/a.json'`.
    const path = word.replace(/^\.?\//, '');
    const slash = path.indexOf('/');
    const first = slash === -1 ? path : path.slice(0, slash);
    if (!(scope.entries.has(first) || first === 'node_modules') || path.includes('\\')) continue;
    if (slash !== -1 || /[.A-Z]/.test(path)) addStart(scan, from, { path, isWhole: !isOpen || at < words.length - 1 });
    else if (words.length === 1 && /^(?:join|resolve)$/.test(callOf()))
      addStart(scan, from, readPath(text, from - 1, { join: 'arguments' }));
  }
}

function addStart(scan: Scan, offset: number, { path, isWhole }: { readonly path: string; readonly isWhole: boolean }): void {
  const { prefix, isPattern, ending } = cutPattern(isWhole ? path : path.slice(0, path.lastIndexOf('/') + 1));
  const specifier = normalize(prefix);
  if (specifier !== '')
    addFound(scan, {
      specifier,
      offset,
      form: 'start',
      isPattern: isPattern || !isWhole || undefined,
      ending: isWhole ? ending : undefined,
    });
}
