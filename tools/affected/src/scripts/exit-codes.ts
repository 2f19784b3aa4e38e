import {
  type CommandChain,
  type CommandLine,
  type EnvSegment,
  type ShellLine,
  stringifyCommand,
  stringifyCommandChain,
} from '@yarnpkg/parsers';
import { substitutionsIn, wordsOf } from './shell-text.js';

/** A simple command of a script. */
export interface Step {
  readonly words: readonly string[];
  /** What discards its exit code, such as `|| true`; `undefined`: the script fails if it fails. */
  readonly discards?: string;
  /** Its output becomes words of another command. */
  readonly isInside?: true;
}

/** Yarn runs scripts in a shell of its own, without `set`. */
export type Shell = 'yarn' | 'sh';

interface Options {
  readonly shell: Shell;
  /** `set -e`, `set -o pipefail`. They hold from there on. */
  stopsAtFailure: boolean;
  hasPipefail: boolean;
}

type Outside = Pick<Step, 'discards' | 'isInside'>;

/** Returns the simple commands of a script, in their order. Sources: POSIX, "Shell Command Language"; `execute` of @yarnpkg/shell. */
export function stepsOf(line: ShellLine, shell: Shell, stopsAtFailure = false): readonly Step[] {
  return inLine(line, {}, { shell, stopsAtFailure, hasPipefail: false });
}

function inLine(line: ShellLine, outside: Outside, options: Options): readonly Step[] {
  return line.flatMap(({ command, type }, at) => {
    const own = type === '&' ? '&' : isHeeded(line, at, options) ? undefined : `; ${shown(line[at + 1]?.command.chain)}`;
    return inAlternatives(command, within(outside, own), options);
  });
}

function within(outside: Outside, own: string | undefined): Outside {
  const discards = outside.discards ?? own;
  return discards === undefined ? outside : { ...outside, discards };
}

/** Tells whether the exit code of an entry of a list is that of the list. */
function isHeeded(line: ShellLine, at: number, options: Options): boolean {
  const next = line[at + 1]?.command;
  // In `a && b`, the shell stops only where b fails.
  if (next === undefined || (options.stopsAtFailure && line[at]?.command.then === undefined)) return true;
  const [word = '', code] = wordsOf(next.chain);
  // Each round of a loop hides that of the one before.
  if (ENDS.test(word)) return word !== 'done' && isHeeded(line, endOf(line, at + 1), options);
  if (word === 'exit') return code === undefined || code === '$?';
  const kept = keptBy(next);
  return line.slice(at + 2).some((one) => firstWord(one.command) === 'exit' && kept.includes(wordsOf(one.command.chain)[1] ?? ''));
}

/** The names of the variables that a command sets to the last exit code. */
function keptBy(command: CommandLine | undefined): readonly string[] {
  if (command?.chain.type !== 'envs') return [];
  const textOf = ({ args }: EnvSegment): string | undefined => wordsOf({ type: 'command', args, envs: [] })[0];
  return command.chain.envs.filter((one) => textOf(one) === '$?').map(({ name }) => `$${name}`);
}

const BEGINS = /^(?:if|while|until|for|case)$/;
const ENDS = /^(?:fi|done|esac|else|elif)$/;

/** Returns the end of the block that an entry is in. */
function endOf(line: ShellLine, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    const word = firstWord(line[at]?.command);
    if (BEGINS.test(word)) depth++;
    if (/^(?:fi|done|esac)$/.test(word) && depth-- === 0) return at;
  }
  return line.length - 1;
}

function firstWord(command: CommandLine | undefined): string {
  return command === undefined ? '' : (wordsOf(command.chain)[0] ?? '');
}

/** `a && b || c`: where one fails, the next behind `||` runs, and decides. */
function inAlternatives(command: CommandLine, outside: Outside, options: Options): readonly Step[] {
  const all: { readonly by: string; readonly chain: CommandChain }[] = [];
  for (
    let [one, by]: [CommandLine | undefined, string] = [command, ''];
    one !== undefined;
    [one, by] = [one.then?.line, one.then?.type ?? '']
  )
    all.push({ by, chain: one.chain });
  return all.flatMap(({ chain }, at) => {
    const other = all.slice(at + 1).find((later) => later.by === '||' && !alwaysFails(later.chain));
    return inPipe(chain, within(outside, other && `|| ${shown(other.chain)}`), options);
  });
}

/** Tells whether a command that runs behind `||` ends with another exit code than 0, whatever happens in it. */
function alwaysFails(chain: CommandChain): boolean {
  if (chain.then !== undefined) return alwaysFails(chain.then.chain);
  if (chain.type === 'subshell' || chain.type === 'group') {
    const line = chain.type === 'subshell' ? chain.subshell : chain.group;
    const [first, last] = [line[0]?.command, line.at(-1)?.command];
    if (last === undefined) return false;
    return endsWithFailure(last, { isFirst: line.length === 1, kept: keptBy(first) });
  }
  return failsAlone(chain, { isFirst: true, kept: [] });
}

interface Before {
  /** No command ran since the one that failed. */
  readonly isFirst: boolean;
  /** Variables with its exit code. */
  readonly kept: readonly string[];
}

function endsWithFailure(command: CommandLine, before: Before): boolean {
  if (command.then === undefined) return command.chain.type === 'command' ? failsAlone(command.chain, before) : alwaysFails(command.chain);
  return command.then.type === '&&' && endsWithFailure(command.then.line, { ...before, isFirst: false });
}

function failsAlone(chain: CommandChain, { isFirst, kept }: Before): boolean {
  const [program, code = '$?'] = wordsOf(chain);
  if (program === 'false') return true;
  if (program !== 'exit' && program !== 'return') return false;
  return code === '$?' ? isFirst : kept.includes(code) || Number(code) % 256 > 0;
}

/** `a | b` ends as b does. */
function inPipe(chain: CommandChain, outside: Outside, options: Options): readonly Step[] {
  const parts: CommandChain[] = [];
  for (let one: CommandChain | undefined = chain; one !== undefined; one = one.then?.chain) parts.push(one);
  return parts.flatMap((part, at) => {
    const next = options.hasPipefail ? undefined : parts[at + 1];
    return inCommand(part, within(outside, next && `| ${shown(next)}`), options);
  });
}

function inCommand(command: CommandChain, outside: Outside, options: Options): readonly Step[] {
  if (command.type === 'subshell') return inLine(command.subshell, outside, { ...options });
  if (command.type === 'group') return inLine(command.group, outside, options);
  const inside = substitutionsIn(command).flatMap((line) => inLine(line, { discards: '$( )', isInside: true }, { ...options }));
  const words = wordsOf(command);
  if (words[0] === 'set' && options.shell === 'sh') change(options, words.slice(1));
  return [...inside, ...(words.length === 0 ? [] : [withoutKeyword(words, outside)])];
}

/** Adopts the options of a call of `set`. */
function change(options: Options, words: readonly string[]): void {
  const isSet = (sign: string, short: RegExp, long: string): boolean =>
    words.some((word, at) => (word.startsWith(sign) && short.test(word)) || (word === long && (words[at - 1] ?? '').startsWith(sign)));
  if (isSet('-', /^-[a-zA-Z]*e/, 'errexit')) options.stopsAtFailure = true;
  if (isSet('+', /^\+[a-zA-Z]*e/, 'errexit')) options.stopsAtFailure = false;
  if (isSet('-', /^$/, 'pipefail')) options.hasPipefail = true;
  if (isSet('+', /^$/, 'pipefail')) options.hasPipefail = false;
}

/** `! a` and `if a` pass where a fails; `then a` is a. */
function withoutKeyword(words: readonly string[], outside: Outside): Step {
  const [first = '', ...rest] = words;
  if (/^(?:!|if|elif|while|until)$/.test(first)) return { words: rest, ...outside, discards: first };
  return { words: /^(?:then|else|do)$/.test(first) ? rest : words, ...outside };
}

const SHOWN = 60;

function shown(chain: CommandChain | undefined): string {
  if (chain === undefined) return '';
  const one = chain.type === 'command' || chain.type === 'envs' ? stringifyCommand(chain) : stringifyCommandChain(chain);
  const text = one.replace(/\$\{([\w?]+)\}/g, '$$$1');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
