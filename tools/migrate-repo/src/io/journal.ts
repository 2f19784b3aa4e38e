import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ObjectId, parseObjectId, parseRefName, type RefName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { syncFolder } from '@tributary/process/sync-to-disk';

/** A ref, and its intended or previous value. */
export interface RefValue {
  readonly ref: RefName;
  readonly value: ObjectId;
}

/**
 * What a run is about to change in the repository. It is written beforehand, so that the next run can undo or complete
 * an interrupted change.
 */
export interface Journal {
  readonly kind: 'create' | 'delete';
  /** For `create`, refs that do not exist yet. The branch is last: once it exists, everything does. */
  readonly refs: readonly RefValue[];
  /** Names of new packs, without folder and extension. */
  readonly packs: readonly string[];
}

/** Writes the journal of a run, so that it survives a crash of the machine. */
export function writeJournal(runFolder: AbsolutePath, journal: Journal): void {
  const file = openSync(journalFile(runFolder), 'w');
  try {
    writeFileSync(file, JSON.stringify(journal));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(runFolder);
}

/** Removes the journal: the run is now complete. */
export function removeJournal(runFolder: AbsolutePath): void {
  rmSync(journalFile(runFolder), { force: true });
}

/** `undefined`: the run ended before it touched anything, for a journal is complete before the first change. */
export function readJournal(runFolder: AbsolutePath): Journal | undefined {
  const file = journalFile(runFolder);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    return parseJournal(text);
  } catch {
    return undefined;
  }
}

/** Parses a journal, and checks its names strictly, because files are deleted by these names. */
function parseJournal(text: string): Journal {
  const { kind, refs, packs } = JSON.parse(text) as Journal;
  if (!packs.every((pack) => /^pack-[0-9a-f]+$/.test(pack))) throw new Error('a name of a pack was expected');
  const values = refs.map(({ ref, value }) => ({ ref: parseRefName(ref), value: parseObjectId(value) }));
  return { kind: kind === 'delete' ? 'delete' : 'create', refs: values, packs };
}

function journalFile(runFolder: AbsolutePath): string {
  return join(runFolder, 'journal.json');
}
