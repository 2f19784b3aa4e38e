import { type Argument, type ArgumentSegment, type CommandChain, parseShell, type ShellLine } from '@yarnpkg/parsers';

/** In characters. */
const LONGEST = 5000;
/** The parser takes twice as long for each further bracket that is open. */
const DEEPEST = 6;
/** It takes the square of the length of a pipe. */
const MOST_PIPES = 200;

/** Parses a script as Yarn does; `undefined`: no shell reads it, or it is longer or nested deeper than what people write. Never throws. */
export function parseScript(text: string): ShellLine | undefined {
  if (text.length > LONGEST || depthOf(text) > DEEPEST || text.split('|').length > MOST_PIPES) return undefined;
  try {
    return parseShell(text);
  } catch {
    return undefined;
  }
}

/** With quotes, a bracket that closes may be text. More than there are is safe. */
function depthOf(text: string): number {
  const isPlain = !/['"`\\]/.test(text);
  let [depth, deepest] = [0, 0];
  for (const sign of text) {
    if (sign === '(' || sign === '{') deepest = Math.max(deepest, ++depth);
    else if (isPlain && (sign === ')' || sign === '}') && depth > 0) depth--;
  }
  return deepest;
}

/** Returns the words of a simple command, without its redirections. What a shell would put in, such as `$HOME`, stays as `$HOME`. */
export function wordsOf(command: CommandChain): readonly string[] {
  const args: readonly Argument[] = command.type === 'command' ? command.args : [];
  return args.flatMap((arg) => (arg.type === 'argument' ? [arg.segments.map(textOf).join('')] : []));
}

function textOf(segment: ArgumentSegment): string {
  if (segment.type === 'text') return segment.text;
  if (segment.type === 'glob') return segment.pattern;
  return segment.type === 'variable' ? `$${segment.name}` : '$()';
}

/** Returns the commands whose output a command has in its words: `$(…)`. */
export function substitutionsIn(command: CommandChain): readonly ShellLine[] {
  const args: readonly Argument[] = command.type === 'command' || command.type === 'envs' ? command.envs.flatMap((env) => env.args) : [];
  return [...args, ...(command.type === 'command' ? command.args : [])].flatMap(inArgument);
}

function inArgument(arg: Argument): readonly ShellLine[] {
  if (arg.type === 'redirection') return arg.args.flatMap(inArgument);
  return arg.segments.flatMap((segment) => (segment.type === 'shell' ? [segment.shell] : []));
}
