import type { AbsolutePath } from '@tributary/model/paths';
import { changedFiles } from '../io/work-tree.js';
import { inOneLine } from '../plan/shape.js';

/**
 * Finds what earlier tasks of a plan of several changed in the files of the commit. Tasks that come later in the same checkout would run on
 * that, and pass though they fail on the commit.
 */
export class ChangedCheckout {
  private readonly ran = new Set<string>();
  private readonly read: () => ReturnType<typeof changedFiles>;
  /** An installation may have changed some, for which there is a note. */
  private readonly before: ReadonlyMap<string, string> | undefined;

  private constructor(read: () => ReturnType<typeof changedFiles>, before: ReadonlyMap<string, string> | undefined) {
    this.read = read;
    this.before = before;
  }

  /** Reads the state before any task of the plan runs. */
  static async open(top: AbsolutePath, signal: AbortSignal): Promise<ChangedCheckout> {
    const read = (): ReturnType<typeof changedFiles> => changedFiles(top, signal);
    return new ChangedCheckout(read, await read());
  }

  /** Returns why what a task now does proves nothing; `undefined`: no earlier task changed a file. Counts the task as one that ran. */
  async problemFor(task: string): Promise<string | undefined> {
    const ran = [...this.ran].map(inOneLine).join(', ');
    this.ran.add(task);
    if (ran === '') return undefined;
    const now = await this.read();
    if (this.before === undefined || now === undefined) return `git could not determine whether ${ran} changed files of the commit before.`;
    const { before } = this;
    const paths = new Set([...now.keys(), ...before.keys()]);
    const files = [...paths].filter((path) => now.get(path) !== before.get(path)).sort();
    if (files.length === 0) return undefined;
    const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
    const shown = files.slice(0, SHOWN).map(inOneLine).join(', ');
    return `Before it, ${ran} ran in this checkout, and files of the commit changed: ${shown}${more}.`;
  }
}

const SHOWN = 3;
