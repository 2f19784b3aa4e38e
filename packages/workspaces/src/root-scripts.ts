import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from './discover.js';
import type { Manifest } from './manifest.js';

/** A workspace with a script that calls a script of the root. */
export interface ScriptCaller {
  readonly workspace: Workspace;
  /** The script of the root. */
  readonly script: string;
}

/**
 * Returns the workspaces whose scripts call changed scripts of the root, with the first such script. They call it with `yarn run -T x`,
 * with `turbo run //#x`, or with `yarn x`, which Yarn takes for a script of the root if the name has a colon. A script that calls a changed
 * one counts as changed. A name counts anywhere in a script, so that rather too many workspaces are found than too few.
 */
export function findScriptCallers(
  changed: readonly string[],
  { base, head, workspaces }: { readonly base: Manifest; readonly head: Manifest; readonly workspaces: readonly Workspace[] },
): readonly ScriptCaller[] {
  const scripts = withScriptCallers(changed, [base, head]);
  return workspaces.flatMap((workspace): readonly ScriptCaller[] => {
    if (workspace.path === '') return [];
    const own = scriptsOf(workspace.manifest);
    const names = new Set(own.map(([name]) => name));
    const script = scripts.find((name) => own.some(([, text]) => callsRoot(text, name, names)));
    return script === undefined ? [] : [{ workspace, script }];
  });
}

type Scripts = readonly (readonly [name: string, text: string])[];

function scriptsOf({ raw }: Manifest): Scripts {
  const { scripts } = raw;
  return isPlainObject(scripts) ? Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
}

/** Returns changed scripts of a root, and those that lead to them, by a call or as the script before or after. */
export function withScriptCallers(changed: readonly string[], roots: readonly Manifest[]): readonly string[] {
  const scripts = roots.flatMap(scriptsOf);
  const found = new Set(changed);
  for (const name of found) {
    for (const [caller, text] of scripts)
      if (mentions(text, name) || name === `pre${caller}` || name === `post${caller}`) found.add(caller);
  }
  return [...found];
}

/**
 * Returns whether a script calls one of the root. Unless the text refers to the root, a script of the workspace itself takes precedence.
 */
function callsRoot(text: string, name: string, own: ReadonlySet<string>): boolean {
  if (!mentions(text, name) || !/(?<![\w-])(?:yarn|npm|npx|pnpm|turbo|run)(?![\w-])/.test(text)) return false;
  return !own.has(name) || name.includes(':') || FROM_ROOT.test(text);
}

/** Text that refers to the root. */
const FROM_ROOT =
  /(?:^|\s)(?:-[A-Za-z]*T[A-Za-z]*|-C|-w|--top-level|--cwd|--prefix|--workspace-root|workspace|cd)(?=[\s=]|$)|\/\/#|PROJECT_CWD|INIT_CWD/;

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    // `concurrently yarn:gen` runs it too.
    const before = text.slice(0, at).replace(/(?<![\w.-])(?:yarn|npm|pnpm):$/, ' ');
    if (!/[\w:.-]$/.test(before) && !/[\w:.-]/.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}
