import type { RuleSubject } from '../rule.js';
import { shellCommandsIn } from '../shell-commands.js';

/** What tells a program the package manager that started it. */
const MANAGER = /\bnpm_(?:execpath|config_user_agent)\b/;
/** What makes a check fail. */
const FAILS = /\bthrow\b|\bexit(?:Code)?\b|\bfalse\b|\babort\b/;
/** A program that does more than check and print. */
const DOES_MORE =
  /\b(?:require|import)\s*\(?\s*["'](?!(?:node:)?(?:process|path|os|assert|chalk|kleur|picocolors|ansi-colors)["'])|\bexec|\bspawn|\bwrite(?!\()|\bunlink|\brm\b|\bcp\b|\bmv\b/;
/** `npx -y only-allow pnpm`. */
const ONLY_ALLOW = /^(?:(?:npx|pnpx|bunx|npm exec|pnpm dlx|pnpm exec|yarn dlx|yarn)\s+)?(?:-\S+\s+)*only-allow(?:@\S+)?\s+\w+$/;

type Reading = Pick<RuleSubject, 'read'>;

/**
 * Whether a command only checks which package manager runs it. `perhaps`: it asks for the package manager, but may do
 * something else too.
 */
export function isGuard(command: string, { read }: Reading): 'yes' | 'perhaps' | 'no' {
  if (ONLY_ALLOW.test(command)) return 'yes';
  const text = MANAGER.test(command) ? command : textOf(command, read);
  if (text === undefined || !MANAGER.test(text)) return 'no';
  return FAILS.test(text) && !DOES_MORE.test(text) ? 'yes' : 'perhaps';
}

/** Returns the text of the file of the package that a command runs: `node ./scripts/check`, `sh check.sh`. */
function textOf(command: string, read: Reading['read']): string | undefined {
  const [, path] = /^(?:(?:node|sh|bash|tsx|ts-node)\s+(?:-\S+\s+)*)?\.?\/?([\w@][\w./@-]*)$/.exec(command) ?? [];
  if (path === undefined) return undefined;
  return [path, `${path}.js`, `${path}.cjs`, `${path}.mjs`, `${path}/index.js`].map(read).find((text) => text !== undefined);
}

/** Returns a script without its guards; empty if it has nothing else. One whose commands depend on each other is a guard only as a whole. */
export function withoutGuards(script: string, subject: Reading): string {
  if (isGuard(script.trim(), subject) === 'yes' && !/&&\s*(?!echo\b)/.test(script.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ''))) return '';
  const commands = shellCommandsIn(script);
  if (commands.some(({ joint }) => joint !== '' && joint !== '&&' && joint !== ';')) return script;
  const kept = commands.filter(({ text }) => isGuard(text, subject) !== 'yes');
  if (kept.length === commands.length) return script;
  return kept.map(({ text, joint }, at) => (at === 0 ? text : `${joint === ';' ? '; ' : ' && '}${text}`)).join('');
}
