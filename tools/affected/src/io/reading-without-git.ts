import type { Comparison, Revision } from '@tributary/git/changeset';
import type { RawChange } from '@tributary/git/parse';
import { readStoredComparison, readStoredFiles, type StoredFiles } from '@tributary/git/stored/comparison';
import type { CommitId } from '@tributary/model/ids';
import type { Place } from './locate.js';
import { byFile, ROOT_FILES, type RootTexts } from './reading.js';
import { type DiskFile, readFromDisk } from './root-files-on-disk.js';

/** What is compared, what differs, and the root files at the head. */
export interface Read {
  readonly comparison: Comparison;
  readonly changes: readonly RawChange[];
  readonly texts: RootTexts;
}

/** Reads the usual case (`readStoredComparison`) without starting git; `undefined` for every other. */
export function readWithoutGit(place: Place, { base, head }: { base: Revision; head: Revision }): Read | undefined {
  if (!isPlain(place)) return undefined;
  // First, for it loads parts of Node, which takes twice as long once the engine was told how to compile what the other runs.
  const onDisk = readFromDisk(place, ROOT_FILES);
  const stored = readStoredComparison(place, { base, head, folder: place.project });
  const texts = stored === undefined ? undefined : textsOf(stored.files, onDisk);
  return stored === undefined || texts === undefined ? undefined : { comparison: stored.comparison, changes: stored.changes, texts };
}

/** The texts of the root files at a commit, likewise. */
export function readRootTextsWithoutGit(place: Place, commit: CommitId): RootTexts | undefined {
  const files = isPlain(place) ? readStoredFiles(place, commit, place.project) : undefined;
  return files === undefined ? undefined : textsOf(files, []);
}

function isPlain({ format, depth }: Place): boolean {
  return format === 'sha1' && depth === 'full';
}

/** From the disk where the very blob lies there, as it does in a checkout. */
function textsOf(files: StoredFiles, onDisk: readonly (DiskFile | undefined)[]): RootTexts | undefined {
  const texts: (string | undefined)[] = [];
  for (const [at, file] of ROOT_FILES.entries()) {
    const id = files.ids.get(file);
    const content = id === undefined || id === onDisk[at]?.id ? onDisk[at]?.content : files.read(id);
    if (id !== undefined && content === undefined) return undefined;
    texts.push(id === undefined ? undefined : content?.toString('utf8'));
  }
  return byFile(texts);
}
