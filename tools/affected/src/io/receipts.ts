import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from '@tributary/process/output-file';
import { orUnusable } from '@tributary/process/unusable-file';
import type { FoundReceipt } from '../gate/judge.js';
import type { EmptyPlace } from '../gate/not-proven.js';
import { inOneLine } from '../plan/shape.js';
import { parseReceipt, type Receipt } from '../receipt/receipt.js';

/** Those of the largest plan that any engine takes are far below. */
const LARGEST = 4 * 1024 * 1024;
const MOST_FILES = 20_000;
const DEEPEST = 4;

/**
 * The JSON files of a folder, and of those below it: engines unpack each artifact into a folder of its own. In the order of their names.
 * Links are not followed, and what is too large, or too much, is a file that cannot be read. A folder that is not there holds none.
 * Throws `FILE_UNUSABLE` for a folder that cannot be listed.
 */
export function readReceipts(folder: string): readonly FoundReceipt[] {
  if (!isFolder(folder)) return [];
  const files = listFiles(folder, '.json');
  const read = files.slice(0, MOST_FILES).map((path): FoundReceipt => {
    const receipt = readReceipt(join(folder, path));
    // It is printed, and a line break in it would begin a line of the log with words of its own.
    const file = inOneLine(path);
    return 'problem' in receipt ? { file, problem: receipt.problem } : { file, receipt };
  });
  return files.length > MOST_FILES ? [...read, { file: folder, problem: `it has more than ${MOST_FILES} files` }] : read;
}

/** What there is where no receipt was found. */
export function describePlace(folder: string): EmptyPlace['there'] {
  if (isFolder(folder)) return 'an empty folder';
  return existsSync(folder) ? 'no folder' : 'nothing';
}

function isFolder(path: string): boolean {
  // Not `${path}/.`, which on Windows a file is too.
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files of a folder, and of those below it, whose names end so; from the folder, in their order. None if it is not there. Throws `FILE_UNUSABLE`. */
export function listFiles(folder: string, ending: string, below = '', depth = 0): readonly string[] {
  if (!isFolder(folder)) return [];
  const path = join(folder, below);
  return orUnusable(path, 'read', () => readdirSync(path, { withFileTypes: true }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const one = join(below, entry.name);
      // One that lies deeper is named as something that cannot be read.
      if (entry.isDirectory()) return depth < DEEPEST ? listFiles(folder, ending, one, depth + 1) : [one];
      return entry.name.endsWith(ending) ? [one] : [];
    });
}

/** One of them, or what is wrong with it. Never throws. */
export function readReceipt(path: string): Receipt | { readonly problem: string } {
  try {
    const problem = whyUnreadable(path);
    return problem === undefined ? parseReceipt(readFileSync(path, 'utf8')) : { problem };
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` };
  }
}

function whyUnreadable(path: string): string | undefined {
  const stat = lstatSync(path);
  if (stat.isDirectory()) return 'the folder is nested too deeply';
  if (!stat.isFile()) return 'it is not a file, but a link or something else';
  return stat.size > LARGEST ? `it has ${stat.size} bytes` : undefined;
}

export function pathOfReceipt(folder: string, shard: string): string {
  return join(folder, `${shard}.json`);
}

/** Takes away what an earlier run of a shard left, which a run that comes to no receipt would leave for the gate to count. Throws `FILE_UNUSABLE`. */
export function removeReceipt(folder: string, shard: string): void {
  const file = pathOfReceipt(folder, shard);
  orUnusable(file, 'written', () => rmSync(file, { force: true }));
}

/** Writes a receipt whole or not at all. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writeReceipt(folder: string, receipt: Receipt): void {
  writeOutput(pathOfReceipt(folder, receipt.shard), `${JSON.stringify(receipt, undefined, 1)}\n`);
}
