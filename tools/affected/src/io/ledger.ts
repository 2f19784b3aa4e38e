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

/** Empty where there is no file. Throws `LEDGER_INVALID`, `FILE_UNUSABLE`. */
export function readLedger(file: string): Ledger {
  const text = existsSync(file) ? orUnusable(file, 'read', () => readFileSync(file, 'utf8')) : '';
  return { text, entries: parseLedger(text, file), previous: lastHash(text) };
}

/** Adds a line; the file is replaced as a whole or not at all. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function appendToLedger(file: string, { text }: Ledger, entry: LedgerEntry): void {
  writeOutput(file, `${text}${formatEntry(entry)}`);
}
