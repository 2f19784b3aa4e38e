import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Such a file counts as left behind once it is this old, where nobody can be asked who holds it. */
const STALE_MS = 60_000;

/** Whether a living process has a file open: git keeps its lock open while it writes. Where `/proc` does not tell, a young file counts as held. */
export function isHeldOpen(file: string): boolean {
  try {
    const path = realpathSync(file);
    return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && filesOf(pid).includes(path));
  } catch {
    const age = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return age !== undefined && Date.now() - age < STALE_MS;
  }
}

/** None for a process of another user, which may hold no file of ours in a way that matters, or for one that has just ended. */
function filesOf(pid: string): string[] {
  try {
    const folder = join('/proc', pid, 'fd');
    return readdirSync(folder).map((descriptor) => readLink(join(folder, descriptor)));
  } catch {
    return [];
  }
}

function readLink(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
