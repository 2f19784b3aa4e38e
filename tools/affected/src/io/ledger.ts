import { existsSync, readFileSync } from 'node:fs';
import { writeOutput } from '@tributary/process/output-file';
import { orUnusable } from '@tributary/process/unusable-file';
import { formatEntry, type LedgerEntry, lastHash, parseLedger } from '../shadow/ledger.js';

/** A ledger, the oldest run first, and what the next line of it names as the one before. */
export interface Ledger {
  readonly text: string;
  readonly entries: readonly LedgerEntry[];
  readonly previous: string | null;
}

/** Reads a ledger that exists: a mistyped name must not look like a ledger without escapes. Throws `LEDGER_INVALID`, `FILE_UNUSABLE`. */
export function readLedger(file: string): Ledger {
  return parse(
    orUnusable(file, 'read', () => readFileSync(file, 'utf8')),
    file,
  );
}

/** Reads the ledger that a run is added to; the first run begins it. Throws `LEDGER_INVALID`, `FILE_UNUSABLE`. */
export function readOrBeginLedger(file: string): Ledger {
  return existsSync(file) ? readLedger(file) : parse('', file);
}

function parse(text: string, file: string): Ledger {
  return { text, entries: parseLedger(text, file), previous: lastHash(text) };
}

/** Adds a line; the file is replaced as a whole or not at all. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function appendToLedger(file: string, { text }: Ledger, entry: LedgerEntry): void {
  writeOutput(file, `${text}${formatEntry(entry)}`);
}
