import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from '@tributary/process/system-error';
import { nameFailure } from '@tributary/process/unusable-file';
import { isSegmentName } from './journal.js';

/**
 * Returns the files and folders in a record that are not part of it, so nothing reads them. Paths are relative to the record and sorted;
 * folders end with `/`. It omits hidden files, and returns nothing if there is no record. Throws `FILE_UNUSABLE`.
 */
export function listForeign(record: AbsolutePath): readonly string[] {
  return foreignIn(record, '').sort();
}

function foreignIn(record: AbsolutePath, folder: string): string[] {
  return entriesOf(join(record, folder)).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    if (!entry.isDirectory()) return isPart(folder, entry.name) ? [] : [path];
    if (path === 'compacting' || FORMER.includes(path)) return [];
    return FOLDERS.test(path) ? foreignIn(record, `${path}/`) : [`${path}/`];
  });
}

const FOLDERS = /^(?:journal|collected)$/;
/** Folders of older programs, which the next compaction removes. */
const FORMER = ['events', 'index'];

function isPart(folder: string, name: string): boolean {
  if (folder === '') return /^(?:record\.json(?:\.\d+\.draft)?|events\.parquet(?:\.draft)?)$/.test(name);
  if (folder === 'journal/') return isSegmentName(name);
  return /\.(?:nd)?json(?:\.\d+\.draft)?$/.test(name);
}

/** Another process may compact meanwhile, and remove folders. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw nameFailure(error, { path: folder, what: 'read' });
  }
}
