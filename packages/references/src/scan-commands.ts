import { blankComments } from './code-literals.js';
import type { StartedCommand } from './reference.js';

const PROGRAMS = 'yarn|npm|pnpm|npx|bun|bunx|corepack|turbo|lerna|nx|lage|make';
const CALLS = 'exec|execSync|execFile|execFileSync|execa|execaSync|execaCommand|execaCommandSync|spawn|spawnSync|fork|crossSpawn';

const MAY_START = new RegExp(`\\b(?:${PROGRAMS}|${CALLS})\\b`);
/**
 * A text with one of these programs after a key such as `command` or in a tagged template, the first literal of a call that starts a
 * program, and a program with the list of its words. Any other text may be a message, or data of a test.
 */
const IN_CODE = new RegExp(
  [
    '(?:\\b(?:command|cmd)["\']?\\s*[:=]\\s*(?=["\'`])|[\\w$)\\]](?=`))(["\'`])((?:(?!\\1)[^]){1,1000})\\1',
    `\\b(?:${CALLS})(?:\\.sync)?\\(\\s*(["'\`])((?:(?!\\3)[^]){1,1000})\\3(?:\\s*,\\s*\\[([^\\]]{0,500})\\])?`,
    `\\(\\s*(["'\`])(${PROGRAMS})\\6\\s*,\\s*\\[([^\\]]{0,500})\\]`,
  ].join('|'),
  'g',
);
const OF_PROGRAM = new RegExp(`(?:^|[\\s;&|(])(?:${PROGRAMS})\\s`);
const WORD = /(["'`])([^"'`\n]*)\1/g;

/** More than people write in a file; a generated one may have any number. */
const MOST = 500;
const LONGEST = 1000;

/** Returns the commands in the code of a file. A word that is only known at run time is missing. */
export function commandsInCode(text: string): readonly StartedCommand[] {
  if (!MAY_START.test(text)) return [];
  const code = blankComments(text);
  const commands: StartedCommand[] = [];
  let line = 1;
  let end = 0;
  for (const found of code.matchAll(IN_CODE)) {
    const [, , whole, , first, rest, , program, list] = found;
    line += code.slice(end, found.index).split('\n').length - 1;
    end = found.index;
    const words = [...(rest ?? list ?? '').matchAll(WORD)].map(([, , word]) => word);
    if (whole !== undefined && !OF_PROGRAM.test(whole)) continue;
    const command = { line, text: (whole ?? [first ?? program, ...words].join(' ')).slice(0, LONGEST) };
    commands.push(first === undefined ? { ...command, isPerhaps: true } : command);
    if (commands.length === MOST) break;
  }
  return commands;
}

/** Returns the commands of a shell file or a Makefile, a line each. */
export function commandsInShell(text: string): readonly StartedCommand[] {
  const lines = text.split('\n').map((line, at) => ({
    line: at + 1,
    text: line
      .slice(0, LONGEST)
      .replace(/(?:^|\s)#.*$/, '')
      .trim(),
  }));
  return lines.filter((one) => one.text !== '').slice(0, MOST);
}
