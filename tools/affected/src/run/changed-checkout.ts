import type { AbsolutePath } from '@tributary/model/paths';
import { changedFiles } from '../io/work-tree.js';
import { inOneLine } from '../plan/shape.js';

/**
 * Reads the state before any task of a plan runs. Returns a function that counts a task as one that ran, and tells why what it now does proves
 * nothing: earlier tasks changed files of the commit, and the task could pass on that. `undefined`: they did not.
 */
export async function watchCheckout(top: AbsolutePath, signal: AbortSignal): Promise<(task: string) => Promise<string | undefined>> {
  // An installation may have changed some, for which there is a note.
  const before = await changedFiles(top, signal);
  const all = new Set<string>();
  return async (task) => {
    const ran = [...all].map(inOneLine).join(', ');
    all.add(task);
    if (ran === '') return undefined;
    const now = await changedFiles(top, signal);
    if (before === undefined || now === undefined) return `git could not determine whether ${ran} changed files of the commit before.`;
    const files = [...new Set([...now.keys(), ...before.keys()])].filter((path) => now.get(path) !== before.get(path)).sort();
    if (files.length === 0) return undefined;
    const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
    const shown = files.slice(0, SHOWN).map(inOneLine).join(', ');
    return `Before it, ${ran} ran in this checkout, and files of the commit changed: ${shown}${more}.`;
  };
}

const SHOWN = 3;
