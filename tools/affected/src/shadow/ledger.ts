import { createHash } from 'node:crypto';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';

/** One full run, compared with what the changes before it selected. Schema: `schema/ledger-entry.schema.json`. Lists of names are ordered. */
export interface LedgerEntry {
  readonly schemaVersion: 1;
  /** SHA-256 of the line before it; `null`: the first one. */
  readonly previous: string | null;
  /** The version of affected. */
  readonly version: string;
  readonly task: string;
  /** The commit of the run before it; `null`: nothing is compared. */
  readonly base: string | null;
  /** The commit of this run. */
  readonly head: string;
  /** When the last shard ended; UTC. */
  readonly endedAt: string;
  /** How the changes were judged: with the observations of the commits up to `base`, or without. */
  readonly observed: 'off' | 'narrow';
  /** How many changes of the main line lie between the two commits, and how many of them selected every workspace. */
  readonly changes: number;
  readonly everything: number;
  /** The workspaces with the task that at least one of the changes selects. Each of them stands in one of the next five lists, too. */
  readonly selected: readonly string[];
  /** Those of `selected` that every one of the changes selects. */
  readonly selectedByEach: readonly string[];
  /** The workspaces with the task that observations spared in each of the changes. */
  readonly spared: readonly string[];
  readonly passed: readonly string[];
  /** Passed in the run before, and failed in this one and in its repetition. */
  readonly failed: readonly string[];
  /** The same, and nobody repeated the run. */
  readonly once: readonly string[];
  /** Failed and passed at this commit. */
  readonly flaky: readonly string[];
  /** Failed, and did not pass in the run before. */
  readonly before: readonly string[];
  /** Those of `failed` and `once` that no change selected. */
  readonly escapes: readonly string[];
}

/** A line of the ledger. */
export function formatEntry(entry: LedgerEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** What the next line names as `previous`; `null` of an empty ledger. */
export function lastHash(text: string): string | null {
  const end = text.lastIndexOf('\n');
  return end < 0 ? null : hashOf(text.slice(text.lastIndexOf('\n', end - 1) + 1, end));
}

/**
 * Reads a ledger, the oldest run first. Throws `LEDGER_INVALID` where a line is cut off, of another version, or contradicts itself or the
 * line before it.
 */
export function parseLedger(text: string, file: string): readonly LedgerEntry[] {
  if (text !== '' && !text.endsWith('\n')) throw invalid(file, 'its last line is cut off');
  const lines = text.split('\n').slice(0, -1);
  const entries: LedgerEntry[] = [];
  for (const [at, line] of lines.entries()) {
    const entry = parseLine(line);
    const last = entries.at(-1);
    const before = lines[at - 1];
    const problem = typeof entry === 'string' ? entry : flawOf(entry, last, before === undefined ? null : hashOf(before));
    if (typeof entry === 'string' || problem !== undefined) throw invalid(file, `line ${at + 1} ${problem}`);
    entries.push(entry);
  }
  return entries;
}

/** The end of a sentence where it is none. */
function parseLine(line: string): LedgerEntry | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  if (!isPlainObject(value)) return 'is not of a ledger';
  if (value['schemaVersion'] !== 1) return 'is of another version';
  return isEntry(value) ? value : 'is not of a ledger';
}

function isEntry(value: object): value is LedgerEntry {
  const one = value as Readonly<Record<string, unknown>>;
  const { previous, base, head, changes, everything, observed, endedAt } = one;
  return (
    (previous === null || isHash(previous)) &&
    (base === null || isId(base)) &&
    isId(head) &&
    [one['version'], one['task'], endedAt].every((text) => typeof text === 'string') &&
    [changes, everything].every((count) => Number.isSafeInteger(count) && (count as number) >= 0) &&
    (observed === 'off' || observed === 'narrow') &&
    LISTS.every((key) => isNames(one[key]))
  );
}

const OUTCOMES = ['passed', 'failed', 'once', 'flaky', 'before'] as const;
const LISTS = ['selected', 'selectedByEach', 'spared', ...OUTCOMES, 'escapes'] as const;

/** Ordered, without repetition. */
function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name, at) => typeof name === 'string' && (at === 0 || value[at - 1] < name));
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(value);
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** What speaks against an entry after another one, as the end of a sentence. `hash`: of the line before it. */
function flawOf(entry: LedgerEntry, last: LedgerEntry | undefined, hash: string | null): string | undefined {
  if (entry.previous !== hash) return 'does not follow the line before it';
  if (entry.base !== null && entry.base !== last?.head) return 'does not begin at the commit of the line before it';
  if (last !== undefined && last.task !== entry.task) return 'is of another task';
  const failed = [...entry.failed, ...entry.once];
  const escapes = entry.base === null ? [] : escapesOf(entry);
  if (JSON.stringify(escapes) !== JSON.stringify(entry.escapes)) return 'has other escapes than its lists tell';
  if (entry.base === null && failed.length > 0) return 'compares nothing, and tells failures of a change';
  const all = OUTCOMES.flatMap((key) => entry[key]);
  const names = new Set(all);
  if (names.size < all.length) return 'names a workspace twice';
  if (![...entry.selected, ...entry.spared].every((name) => names.has(name))) return 'selects a workspace that it does not have';
  const selected = new Set(entry.selected);
  return entry.selectedByEach.every((name) => selected.has(name)) ? undefined : 'contradicts what it selects';
}

/** The number of workspaces with the task. */
export function countWorkspaces(entry: LedgerEntry): number {
  return OUTCOMES.reduce((sum, key) => sum + entry[key].length, 0);
}

/** Who failed and was not selected. */
export function escapesOf({ failed, once, selected }: Pick<LedgerEntry, 'failed' | 'once' | 'selected'>): readonly string[] {
  const known = new Set(selected);
  return [...failed, ...once].filter((name) => !known.has(name)).sort();
}

function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

export function invalid(file: string, problem: string): ToolError {
  return new ToolError({
    code: 'LEDGER_INVALID',
    message: `${file} cannot be used as a ledger: ${problem}.`,
    hint: 'Restore it, or delete it and begin a new one with `affected shadow`: the bound begins anew, too.',
    data: { file },
  });
}
