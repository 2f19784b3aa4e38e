import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The age at which a file counts as left behind, if its holder cannot be determined. */
const STALE_MS = 60_000;

/** Whether a running process has a file open. git keeps its lock open while it writes. Without `/proc`, a recent file counts as open. */
export function isHeldOpen(file: string): boolean {
  try {
    const path = realpathSync(file);
    return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && filesOf(pid).includes(path));
  } catch {
    const age = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return age !== undefined && Date.now() - age < STALE_MS;
  }
}

/** Returns the open files of a process. None if it has ended, or belongs to another user, which does not matter here. */
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
