import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectId, RefName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';

/** A ref and what it is to hold, or held. */
export interface RefValue {
  readonly ref: RefName;
  readonly value: ObjectId;
}

/** What a run is about to do to the repository, written down before it begins, so that the next run can undo the half of it. */
export interface Journal {
  readonly kind: 'create' | 'delete';
  /** For `create`, the branch comes last: once it exists, everything does. */
  readonly refs: readonly RefValue[];
  /** Names of packs, without folder and ending, that were not there before. */
  readonly packs: readonly string[];
}

/** Writes the journal of a run so that it outlives a crash of the machine. */
export function writeJournal(runFolder: AbsolutePath, journal: Journal): void {
  const file = openSync(journalFile(runFolder), 'w');
  try {
    writeSync(file, JSON.stringify(journal));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** From here on the run counts as done. */
export function removeJournal(runFolder: AbsolutePath): void {
  rmSync(journalFile(runFolder), { force: true });
}

/** `undefined`: the run ended before it touched anything, for a journal is complete before the first change. */
export function readJournal(runFolder: AbsolutePath): Journal | undefined {
  try {
    return JSON.parse(readFileSync(journalFile(runFolder), 'utf8')) as Journal;
  } catch {
    return undefined;
  }
}

function journalFile(runFolder: AbsolutePath): string {
  return join(runFolder, 'journal.json');
}
