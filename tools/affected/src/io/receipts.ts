import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { maskFor } from '@tributary/model/secrets';
import { writeOutput } from '@tributary/process/output-file';
import { orUnusable } from '@tributary/process/unusable-file';
import type { FoundReceipt } from '../gate/judge.js';
import type { EmptyPlace } from '../gate/not-proven.js';
import { inOneLine } from '../plan/shape.js';
import { maskReceipt } from '../receipt/mask-receipt.js';
import { parseReceipt, type Receipt } from '../receipt/receipt.js';
import { readEnvironment } from './environment.js';

/** In bytes. Receipts of the largest plan that any engine supports are far smaller. */
const LARGEST = 4 * 1024 * 1024;
const MOST_FILES = 20_000;
const DEEPEST = 4;

/**
 * Reads the JSON files of a folder and of those below it, in the order of their names: engines unpack each artifact into its own folder. It
 * follows no links. A file that is too large, and files beyond the limit, count as unreadable. None if the folder does not exist. Secrets in
 * them are masked: a job without this version, or with fewer secrets, may have written them. Throws `FILE_UNUSABLE` for a folder that cannot
 * be listed.
 */
export function readReceipts(folder: string): readonly FoundReceipt[] {
  if (!isFolder(folder)) return [];
  const files = listDocuments(folder);
  const mask = maskFor(readEnvironment());
  const read = files.slice(0, MOST_FILES).map((path): FoundReceipt => {
    const receipt = readReceipt(join(folder, path));
    // The name is printed, and a line break in it would start a log line with someone else's text.
    const file = inOneLine(path);
    return 'problem' in receipt ? { file, problem: receipt.problem } : { file, receipt: maskReceipt(receipt, mask) };
  });
  return files.length > MOST_FILES ? [...read, { file: folder, problem: `it has more than ${MOST_FILES} files` }] : read;
}

/** Returns what is at a path without receipts. */
export function describePlace(folder: string): EmptyPlace['there'] {
  if (isFolder(folder)) return 'an empty folder';
  return existsSync(folder) ? 'no folder' : 'nothing';
}

function isFolder(path: string): boolean {
  // Not `${path}/.`, which on Windows a file is too.
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Lists the JSON files in a folder and below, relative to it and sorted. None if it does not exist. Throws `FILE_UNUSABLE`. */
export function listDocuments(folder: string, below = '', depth = 0): readonly string[] {
  if (!isFolder(folder)) return [];
  const path = join(folder, below);
  return orUnusable(path, 'read', () => readdirSync(path, { withFileTypes: true }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const one = join(below, entry.name);
      // A deeper folder is returned as a file, which is then unreadable.
      if (entry.isDirectory()) return depth < DEEPEST ? listDocuments(folder, one, depth + 1) : [one];
      return entry.name.endsWith('.json') ? [one] : [];
    });
}

/** Returns a receipt, or a problem. Never throws. */
function readReceipt(path: string): Receipt | { readonly problem: string } {
  const text = readDocument(path);
  return typeof text === 'string' ? parseReceipt(text) : text;
}

/** Returns the text of a file that a job has left, or a problem. Never throws. */
export function readDocument(path: string): string | { readonly problem: string } {
  try {
    const problem = whyUnreadable(path);
    return problem === undefined ? readFileSync(path, 'utf8') : { problem };
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

function pathOfReceipt(folder: string, shard: string): string {
  return join(folder, `${shard}.json`);
}

/**
 * Removes the receipt of an earlier run of a shard, and returns it if it can be read: if this run writes none, the gate would count the old
 * one. Throws `FILE_UNUSABLE`.
 */
export function takeReceipt(folder: string, shard: string): Receipt | undefined {
  const file = pathOfReceipt(folder, shard);
  const found = existsSync(file) ? readReceipt(file) : undefined;
  orUnusable(file, 'written', () => rmSync(file, { force: true }));
  return found === undefined || 'problem' in found ? undefined : found;
}

/** Writes a receipt atomically, without secrets that its tests have printed, and returns what it wrote. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writeReceipt(folder: string, receipt: Receipt): Receipt {
  const masked = maskReceipt(receipt, maskFor(readEnvironment()));
  writeOutput(pathOfReceipt(folder, receipt.shard), `${JSON.stringify(masked, undefined, 1)}\n`);
  return masked;
}
