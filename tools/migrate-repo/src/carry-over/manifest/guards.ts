import { HIDES_MORE, shellCommandsIn, withoutSteps } from '../../scripts.js';
import type { RuleSubject } from '../rule.js';

/** What tells a program the package manager that started it. */
const MANAGER = /\bnpm_(?:execpath|config_user_agent)\b/;
/** What makes a check in JavaScript fail. */
const FAILS = /\bthrow\b|\bexit(?:Code)?\b|\babort\b/;
/** JavaScript that does more than check and print. */
const DOES_MORE =
  /\b(?:require|import|from)\s*\(?\s*["'](?!(?:node:)?(?:process|path|os|assert|chalk|kleur|picocolors|ansi-colors)["'])|\b(?:require|import)\s*\(\s*(?!["'])|\bexec|\bspawn|\bwrite(?!\()|\bunlink|\brm\b|\bcp\b|\bmv\b|\bfetch\b|\bgetBuiltinModule\b|\beval\b/;
/** `node -e "…"` */
const NODE_TEXT = /^node\s+(?:-e|--eval|-p|--print)\s+(?:"(?:[^"\\]|\\.)*"|'[^']*')$/;
/** A command of a shell that only compares, prints or ends the script, after words such as `if`. */
const CHECKS =
  /^(?:(?:if|then|elif|else|!|\{)(?:\s+|$))*(?:(?:\[\[?|test|e?grep|echo|printf|exit|true|false|:|set)(?:\s.*)?|case\s.*\sin(?:\s.*)?|\*\S*|esac|fi|\}|\w+=(?:"[^"]*"|'[^']*'|\S*))?$/s;
/** `npx -y only-allow pnpm`. */
const ONLY_ALLOW = /^(?:(?:npx|pnpx|bunx|npm exec|pnpm dlx|pnpm exec|yarn dlx|yarn)\s+)?(?:-\S+\s+)*only-allow(?:@\S+)?\s+\w+$/;

type Reading = Pick<RuleSubject, 'read'>;

/**
 * Whether a command only checks which package manager runs it. `perhaps`: it asks for the package manager, but may do
 * something else too.
 */
export function isGuard(command: string, { read }: Reading): 'yes' | 'perhaps' | 'no' {
  if (ONLY_ALLOW.test(command)) return 'yes';
  const { text, isShell } = MANAGER.test(command) ? { text: command, isShell: true } : programOf(command, read);
  if (text === undefined || !MANAGER.test(text)) return 'no';
  return (isShell ? onlyChecks(text) : FAILS.test(text) && !DOES_MORE.test(text)) ? 'yes' : 'perhaps';
}

/** Whether every command of a shell only checks and prints, and one makes the script fail. */
function onlyChecks(script: string): boolean {
  const commands = shellCommandsIn(script.replace(/^\s*#.*$/gm, '')).map(({ text }) => text);
  const isNode = (text: string): boolean => NODE_TEXT.test(text) && !DOES_MORE.test(text);
  const canFail = commands.some((text) => /(?:^|\s)exit\b|(?:^|\s)false$/.test(text) || (isNode(text) && FAILS.test(text)));
  return canFail && commands.every((text) => isNode(text) || (CHECKS.test(text) && !HIDES_MORE.test(text)));
}

/** Returns the text of the file of the package that a command runs: `node ./scripts/check`, `sh check.sh`. */
export function programOf(command: string, read: Reading['read']): { readonly text: string | undefined; readonly isShell: boolean } {
  const [, program = '', path] = /^(?:(node|sh|bash|tsx|ts-node)\s+(?:-\S+\s+)*)?\.?\/?([\w@][\w./@-]*)$/.exec(command) ?? [];
  if (path === undefined) return { text: undefined, isShell: false };
  const text = [path, `${path}.js`, `${path}.cjs`, `${path}.mjs`, `${path}/index.js`].map(read).find((one) => one !== undefined);
  return { text, isShell: program.endsWith('sh') || /^#!.*sh\b/.test(text ?? '') || (program === '' && path.endsWith('.sh')) };
}

/** Returns a script without its guards; empty if it has nothing else. One whose commands depend on each other is a guard only as a whole. */
export function withoutGuards(script: string, subject: Reading): string {
  const isGone = (step: string): boolean => isGuard(step, subject) === 'yes';
  return isGone(script.trim()) ? '' : withoutSteps(script, isGone);
}
