import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from '@tributary/process/system-error';
import { nameFailure } from '@tributary/process/unusable-file';
import { isSegmentName } from './journal.js';

/**
 * What lies in the folders of a record and is no part of it, so that nobody reads it: from the folder of the record, sorted, folders with `/` at their end. Hidden files are none, nor is anything where there is
 * no record. Throws `FILE_UNUSABLE`.
 */
export function listForeign(record: AbsolutePath): readonly string[] {
  return foreignIn(record, '').sort();
}

function foreignIn(record: AbsolutePath, folder: string): string[] {
  return entriesOf(join(record, folder)).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    if (!entry.isDirectory()) return isPart(folder, entry.name) ? [] : [path];
    if (path === 'compacting') return [];
    return FOLDERS.test(path) ? foreignIn(record, `${path}/`) : [`${path}/`];
  });
}

const FOLDERS = /^(?:journal|collected|index|events(?:\/week=[\d-]+)?)$/;

function isPart(folder: string, name: string): boolean {
  if (folder === '') return /^record\.json(?:\.\d+\.draft)?$/.test(name);
  if (folder === 'journal/') return isSegmentName(name);
  if (folder === 'collected/') return /\.(?:nd)?json(?:\.\d+\.draft)?$/.test(name);
  if (folder === 'index/') return /^\d+\.parquet$/.test(name);
  return folder.startsWith('events/week=') && /^\d+_\w+\.parquet$/.test(name);
}

/** Others compact meanwhile, and take folders away. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw nameFailure(error, { path: folder, what: 'read' });
  }
}
