import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { removeFolder } from './remove-folder.js';

const PREFIX = 'migrate-repo-';

/**
 * Creates a folder among the machine's temporary files, for a library that does not support every path of a monorepo.
 * The run's folder has a note of it, to find it again if the run is killed.
 */
export function makeTemporary(runFolder: AbsolutePath): AbsolutePath {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
  writeFileSync(noteOf(runFolder), folder);
  return parseAbsolutePath(folder);
}

/**
 * Removes the temporary folder that a run has noted. The note is not trusted: only a folder that `makeTemporary` may
 * have created is removed.
 */
export function removeTemporary(runFolder: AbsolutePath): void {
  const noted = readNote(runFolder);
  if (noted === undefined || dirname(noted) !== realpathSync(tmpdir()) || !basename(noted).startsWith(PREFIX)) return;
  removeFolder(parseAbsolutePath(noted));
}

function readNote(runFolder: AbsolutePath): string | undefined {
  try {
    return readFileSync(noteOf(runFolder), 'utf8');
  } catch {
    return undefined;
  }
}

function noteOf(runFolder: AbsolutePath): string {
  return join(runFolder, 'temporary');
}
