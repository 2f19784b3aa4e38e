import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ObjectId, parseObjectId, parseRefName, type RefName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { syncFolder } from '@tributary/process/sync-to-disk';

/** A ref and what it is to hold, or held. */
export interface RefValue {
  readonly ref: RefName;
  readonly value: ObjectId;
}

/** What a run is about to do to the repository, written down before it begins, so that the next run can clear up the half of it. */
export interface Journal {
  readonly kind: 'create' | 'delete';
  /** For `create`, those that are not there yet; the branch comes last: once it exists, everything does. */
  readonly refs: readonly RefValue[];
  /** Names of packs, without folder and ending, that were not there before. */
  readonly packs: readonly string[];
}

/** Writes the journal of a run so that it outlives a crash of the machine. */
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

/** From here on the run counts as done. */
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

/** Files are deleted by these names, so they are taken for what they must be and nothing else. */
function parseJournal(text: string): Journal {
  const { kind, refs, packs } = JSON.parse(text) as Journal;
  if (!packs.every((pack) => /^pack-[0-9a-f]+$/.test(pack))) throw new Error('a name of a pack was expected');
  const values = refs.map(({ ref, value }) => ({ ref: parseRefName(ref), value: parseObjectId(value) }));
  return { kind: kind === 'delete' ? 'delete' : 'create', refs: values, packs };
}

function journalFile(runFolder: AbsolutePath): string {
  return join(runFolder, 'journal.json');
}
