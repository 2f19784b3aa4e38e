import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from './discover.js';
import type { Manifest } from './manifest.js';

/** A workspace one of whose scripts calls a script of the root. */
export interface ScriptCaller {
  readonly workspace: Workspace;
  /** The script of the root. */
  readonly script: string;
}

/**
 * The workspaces whose scripts call changed scripts of the root, with the first of them: by `yarn run -T x`, by `turbo run //#x`, or by
 * `yarn x`, which Yarn takes for a script of the root where the name has a colon. A script that calls a changed one counts as changed. A
 * name counts wherever it stands in the text of a script, so rather one workspace too many is found than one too few.
 */
export function findScriptCallers(
  changed: readonly string[],
  { base, head, workspaces }: { readonly base: Manifest; readonly head: Manifest; readonly workspaces: readonly Workspace[] },
): readonly ScriptCaller[] {
  const scripts = withCallers(changed, [...scriptsOf(base), ...scriptsOf(head)]);
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

/** The changed scripts of the root, and those that lead to them. */
function withCallers(changed: readonly string[], root: Scripts): readonly string[] {
  const found = new Set(changed);
  for (const name of found) for (const [caller, text] of root) if (mentions(text, name)) found.add(caller);
  return [...found];
}

/** Without a sign that the root is meant, a script of the workspace itself comes first. */
function callsRoot(text: string, name: string, own: ReadonlySet<string>): boolean {
  if (!mentions(text, name) || !/(?<![\w-])(?:yarn|npm|npx|pnpm|turbo|run)(?![\w-])/.test(text)) return false;
  return !own.has(name) || name.includes(':') || /(?:^|\s)(?:-T|--top-level|--cwd|--prefix|workspace)(?=[\s=])|\/\/#/.test(text);
}

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w:.-]/.test(text[at - 1] ?? ' ') && !/[\w:.-]/.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}
