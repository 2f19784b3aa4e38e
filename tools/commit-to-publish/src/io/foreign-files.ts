import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from '@tributary/process/system-error';
import { nameFailure } from '@tributary/process/unusable-file';

/**
 * Returns the files and folders in a record that are not part of it, so nothing reads them. Paths are relative to the record and sorted;
 * folders end with `/`. It omits hidden files, and returns nothing if there is no record. Throws `FILE_UNUSABLE`.
 */
export function listForeign(record: AbsolutePath): readonly string[] {
  return foreignIn(record, '').sort();
}

/**
 * Throws `FILE_UNUSABLE` if a file or folder of a record is a link, a pipe or a device, as a commit on the branch of a record can contain:
 * something outside would be written to, or reading would not end.
 */
export function refuseSpecialFiles(record: AbsolutePath): void {
  for (const folder of ['', 'journal/', 'collected/'])
    for (const entry of entriesOf(join(record, folder))) {
      const path = `${folder}${entry.name}`;
      if (entry.isFile() || entry.isDirectory() || !(FILES.test(path) || FOLDERS.test(path))) continue;
      throw new ToolError({
        code: 'FILE_UNUSABLE',
        message: `${join(record, path)} is a link, a pipe or a device. A record has only files and folders.`,
        hint: 'Replace it by a file or folder, or restore the record from a backup.',
        data: { file: join(record, path) },
      });
    }
}

function foreignIn(record: AbsolutePath, folder: string): string[] {
  return entriesOf(join(record, folder)).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    if (!entry.isDirectory()) return FILES.test(path) ? [] : [path];
    if (path === 'compacting' || FORMER.includes(path)) return [];
    return FOLDERS.test(path) ? foreignIn(record, `${path}/`) : [`${path}/`];
  });
}

const FOLDERS = /^(?:journal|collected)$/;
const FILES =
  /^(?:record\.json|events\.parquet|journal\/\d+-[0-9a-f]{8}\.(?:ndjson|sum|.*open)|collected\/.*\.(?:nd)?json)(?:\.(?:\d+\.)?draft)?$/;
/** Folders of older programs, which the next compaction removes. */
const FORMER = ['events', 'index'];

/** Another process may compact meanwhile, and remove folders. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw nameFailure(error, { path: folder, what: 'read' });
  }
}
