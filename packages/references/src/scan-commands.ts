import { blankComments } from './code-literals.js';
import type { StartedCommand } from './reference.js';

const PROGRAMS = 'yarn|npm|pnpm|npx|bun|bunx|corepack|turbo|lerna|nx|lage|make';
const CALLS = 'exec|execSync|execFile|execFileSync|execa|execaSync|execaCommand|execaCommandSync|spawn|spawnSync|fork|crossSpawn';

const MAY_START = new RegExp(`\\b(?:${PROGRAMS}|${CALLS})\\b`);
/** A literal that begins with one of these programs or contains one after others, and the first literal of a call that starts a program. */
const IN_CODE = new RegExp(
  [
    `(["'\`])((?:[^"'\`\\n]*[\\s;&|(])?(?:${PROGRAMS})\\s[^"'\`\\n]*)\\1`,
    `\\b(?:${CALLS})(?:\\.sync)?\\(\\s*(["'\`])([^"'\`\\n]+)\\3(?:\\s*,\\s*\\[([^\\]]{0,2000})\\])?`,
    `(["'\`])(${PROGRAMS})\\6\\s*,\\s*\\[([^\\]]{0,2000})\\]`,
  ].join('|'),
  'g',
);
const WORD = /(["'`])([^"'`\n]*)\1/g;

/** More than any workspace has; a generated file may have thousands. */
const MOST = 500;

/** Returns the commands in the code of a file. A word that is only known at run time is missing. */
export function commandsInCode(text: string): readonly StartedCommand[] {
  if (!MAY_START.test(text)) return [];
  const code = blankComments(text);
  return [...code.matchAll(IN_CODE)].slice(0, MOST).map((found) => {
    const [, , whole, , first, rest, , program, list] = found;
    const words = [...(rest ?? list ?? '').matchAll(WORD)].map(([, , word]) => word);
    const command = { line: lineAt(code, found.index), text: whole ?? [first ?? program, ...words].join(' ') };
    return first === undefined ? { ...command, isPerhaps: true } : command;
  });
}

/** Returns the commands of a shell file or a Makefile, a line each. */
export function commandsInShell(text: string): readonly StartedCommand[] {
  const lines = text.split('\n').map((line, at) => ({ line: at + 1, text: line.replace(/(?:^|\s)#.*$/, '').trim() }));
  return lines.filter((one) => one.text !== '').slice(0, MOST);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
