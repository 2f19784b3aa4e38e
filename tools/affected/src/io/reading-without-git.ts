import type { Comparison, Revision } from '@tributary/git/changeset';
import type { RawChange } from '@tributary/git/parse';
import { readStoredComparison, readStoredFiles, type StoredFiles } from '@tributary/git/stored/comparison';
import type { CommitId } from '@tributary/model/ids';
import { LaidLock } from '@tributary/workspaces/lock/laid-lock';
import type { Place } from './locate.js';
import { byFile, ROOT_FILES, type RootTexts } from './reading.js';

/** What is compared, what differs, and the root files at the head. */
export interface Read {
  readonly comparison: Comparison;
  readonly changes: readonly RawChange[];
  readonly texts: RootTexts;
  /** The yarn.lock of `texts`, if it was read to where it will be scanned. */
  readonly laidLock?: LaidLock | undefined;
}

/** Reads the usual case (`readStoredComparison`) without starting git; `undefined` for every other. */
export function readWithoutGit(place: Place, { base, head }: { base: Revision; head: Revision }): Read | undefined {
  if (!isPlain(place)) return undefined;
  const stored = readStoredComparison(place, { base, head, folder: place.project });
  const root = stored === undefined ? undefined : textsOf(stored.files, place.workTree);
  return stored === undefined || root === undefined ? undefined : { comparison: stored.comparison, changes: stored.changes, ...root };
}

/** The texts of the root files at a commit, likewise. */
export function readRootTextsWithoutGit(place: Place, commit: CommitId): RootTexts | undefined {
  const files = isPlain(place) ? readStoredFiles(place, commit, place.project) : undefined;
  return files === undefined ? undefined : textsOf(files, undefined)?.texts;
}

function isPlain({ format, depth }: Place): boolean {
  return format === 'sha1' && depth === 'full';
}

/** From the work tree where the very blob lies there, as it does in a checkout. */
function textsOf(files: StoredFiles, workTree: string | undefined): Pick<Read, 'texts' | 'laidLock'> | undefined {
  let laidLock: LaidLock | undefined;
  const roomForLock = (size: number): Buffer | undefined => {
    laidLock = LaidLock.ofSize(size);
    return laidLock?.bytes();
  };
  const texts: (string | undefined)[] = [];
  for (const file of ROOT_FILES) {
    const id = files.ids.get(file);
    const isLock = file === 'yarn.lock';
    const checkedOut = workTree === undefined ? undefined : files.readCheckedOut(workTree, file, isLock ? roomForLock : undefined);
    if (isLock && checkedOut === undefined) laidLock = undefined;
    const content = id === undefined ? undefined : (checkedOut ?? files.read(id));
    if (id !== undefined && content === undefined) return undefined;
    texts.push(isLock && laidLock !== undefined ? undefined : content?.toString('utf8'));
  }
  return laidLock === undefined ? { texts: byFile(texts) } : { texts: withLock(byFile(texts), laidLock), laidLock };
}

/** Most answers never ask for it as a text. */
function withLock(texts: RootTexts, lock: LaidLock): RootTexts {
  return {
    ...texts,
    get 'yarn.lock'(): string {
      return lock.text;
    },
  };
}
