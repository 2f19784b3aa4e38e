import { Worker } from 'node:worker_threads';
import { isToolError } from '@tributary/model/errors';
import { Dice } from './dice.js';

/** A parser, and texts that it accepts. */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly string[];
  /** May throw a `ToolError`, and errors that match `mayThrow`. */
  readonly parse: (text: string) => unknown;
  /** A message that the parser may throw for bytes that git has checked before. */
  readonly mayThrow?: RegExp;
}

/** The number of targets in all files. Together they take half a minute, or FUZZ_MINUTES. */
const ALL_TARGETS = 40;
const DEFAULT_SECONDS = 30;

/** Returns the seconds for one target. */
export function fuzzSeconds(environment: Readonly<Record<string, string | undefined>>): number {
  const minutes = Number(environment['FUZZ_MINUTES']);
  return (minutes > 0 ? minutes * 60 : DEFAULT_SECONDS) / ALL_TARGETS;
}

/**
 * Mutates the seeds of a target and parses the results, until the time is over. Returns the number of cases. Cases are numbered from 1, and
 * a number always gives the same text (`fuzzCase`). Throws an error with number and text for a crash that is not a `ToolError`, and for a
 * changed prototype. If a parser takes a minute, a watchdog prints the same and ends the process, because the parser blocks this thread.
 */
export async function fuzz(target: FuzzTarget, seconds: number): Promise<number> {
  const watched = new Int32Array(new SharedArrayBuffer(4));
  const watchdog = new Worker(WATCHDOG, { eval: true, workerData: { watched, name: target.name } });
  try {
    const end = Date.now() + seconds * 1000;
    let number = 0;
    while (Date.now() < end) {
      number++;
      Atomics.store(watched, 0, number);
      tryCase(target, number);
    }
    return number;
  } finally {
    await watchdog.terminate();
  }
}

const WATCHDOG = `
const { workerData: { watched, name } } = require('node:worker_threads');
let last = -1;
setInterval(() => {
  const now = Atomics.load(watched, 0);
  if (now !== last) { last = now; return; }
  require('node:fs').writeSync(2, 'fuzz: ' + name + ' hangs at case ' + now + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 60_000);
`;

/** Parses one case; throws like `fuzz`. */
function tryCase(target: FuzzTarget, number: number): void {
  tryText(target, fuzzCase(target.seeds, number), `case ${number}`);
}

/** Parses one text, such as one that failed before; throws like `fuzz`. */
export function tryText({ name, parse, mayThrow }: FuzzTarget, text: string, label: string): void {
  const shown = `${name}, ${label}: ${JSON.stringify(text.slice(0, 2000))}`;
  try {
    parse(text);
  } catch (error) {
    const isAllowed = isToolError(error) || (error instanceof Error && mayThrow?.test(error.message) === true);
    if (!isAllowed) throw new Error(shown, { cause: error });
  }
  for (const prototype of [Object.prototype, Array.prototype]) {
    const [key] = Object.keys(prototype);
    if (key === undefined) continue;
    Reflect.deleteProperty(prototype, key);
    throw new Error(`a prototype got the property ${JSON.stringify(key)} from ${shown}`);
  }
}

/** Returns the text of a case. */
export function fuzzCase(seeds: readonly string[], number: number): string {
  const dice = new Dice(number);
  let text = dice.pick(seeds);
  for (let left = 1 + dice.below(6); left > 0; left--) text = mutate(text, seeds, dice);
  return text;
}

function mutate(text: string, seeds: readonly string[], dice: Dice): string {
  const at = dice.below(text.length + 1);
  const end = Math.min(text.length, at + dice.below(dice.chance(20) ? text.length + 1 : 12));
  const [before, part, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  switch (dice.below(7)) {
    case 0:
      return before + after;
    case 1:
      return before + dice.pick(TOKENS) + after;
    case 2:
      return before + dice.pick(TOKENS) + part + after;
    case 3:
      return before + part.repeat(1 + dice.below(dice.chance(5) ? 2000 : 4)) + after;
    case 4:
      return before + String.fromCharCode(dice.below(dice.chance(80) ? 128 : 65536)) + after;
    case 5: {
      const other = dice.pick(seeds);
      return before + other.slice(dice.below(other.length + 1));
    }
    default:
      return swapWord(text, dice);
  }
}

/** Replaces a word with another one of the text: a word that is valid in one place may be invalid in another. */
function swapWord(text: string, dice: Dice): string {
  const words = text.match(/[\w@/.^*-]+/g) ?? ['x'];
  const [one, other] = [dice.pick(words), dice.chance(50) ? dice.pick(words) : dice.pick(TOKENS)];
  const at = text.indexOf(one);
  return at < 0 ? text : text.slice(0, at) + other + text.slice(at + one.length);
}

const TOKENS: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '"__proto__": {"polluted": 1}', '__proto__: {polluted: 1}'],
  ...['\0', '\r\n', '\r', '\n', '\t', '\uFEFF', '\u2028', '\uD800', '\x1b[31m', '##vso[x]', '::error::'],
  ...[
    'null',
    'true',
    'false',
    '-1',
    '0',
    '1e999',
    '-0',
    '9007199254740993',
    '""',
    '{}',
    '[]',
    '[[',
    '{{',
    '}',
    ']',
    '"',
    "'",
    '\\',
    '\\u0000',
  ],
  ...['&a ', '*a', '<<: *a', '!!js/function', '!!binary', '? ', ': ', '- ', '|', '>', '%YAML 1.1', '---', '...', '#', '&a [*a]'],
  ...[
    '../',
    '/',
    '//',
    '~',
    '**',
    '*',
    '!',
    '$',
    ['$', '{x}'].join(''),
    ['$', '{{ x }}'].join(''),
    '@',
    '^',
    '>=',
    '||',
    ' || '.repeat(50),
    'workspace:',
    'npm:',
    'patch:',
  ],
  ...['<<<<<<< HEAD', '=======', '>>>>>>> x', ' '.repeat(300), '['.repeat(3000), '{"a":'.repeat(3000), '\n'.repeat(500), 'a'.repeat(5000)],
];
