import type { Comparison, Revision } from '@tributary/git/changeset';
import type { RawChange } from '@tributary/git/parse';
import { readStoredComparison, readStoredFiles, type StoredFiles } from '@tributary/git/stored/comparison';
import type { CommitId } from '@tributary/model/ids';
import type { Place } from './locate.js';
import { byFile, ROOT_FILES, type RootTexts } from './reading.js';

/** What is compared, what differs, and the root files at the head. */
export interface Read {
  readonly comparison: Comparison;
  readonly changes: readonly RawChange[];
  readonly texts: RootTexts;
}

/** Reads the usual case (`readStoredComparison`) without starting git; `undefined` for every other. */
export function readWithoutGit(place: Place, { base, head }: { base: Revision; head: Revision }): Read | undefined {
  if (!isPlain(place)) return undefined;
  const stored = readStoredComparison(place, { base, head, folder: place.project });
  const texts = stored === undefined ? undefined : textsOf(stored.files, place.workTree);
  return stored === undefined || texts === undefined ? undefined : { comparison: stored.comparison, changes: stored.changes, texts };
}

/** The texts of the root files at a commit, likewise. */
export function readRootTextsWithoutGit(place: Place, commit: CommitId): RootTexts | undefined {
  const files = isPlain(place) ? readStoredFiles(place, commit, place.project) : undefined;
  return files === undefined ? undefined : textsOf(files, undefined);
}

function isPlain({ format, depth }: Place): boolean {
  return format === 'sha1' && depth === 'full';
}

/** From the work tree where the very blob lies there, as it does in a checkout. */
function textsOf(files: StoredFiles, workTree: string | undefined): RootTexts | undefined {
  const texts: (string | undefined)[] = [];
  for (const file of ROOT_FILES) {
    const id = files.ids.get(file);
    const checkedOut = workTree === undefined ? undefined : files.readCheckedOut(workTree, file);
    const content = id === undefined ? undefined : (checkedOut ?? files.read(id));
    if (id !== undefined && content === undefined) return undefined;
    texts.push(content?.toString('utf8'));
  }
  return byFile(texts);
}
