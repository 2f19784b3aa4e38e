import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';

/** What was found out before, by a key for all that it depends on. Without it an answer takes longer, and stays the same. */
export interface Cache<T> {
  readonly get: (key: string) => T | undefined;
  readonly add: (key: string, value: T) => void;
  /** Writes what was used, if anything was added. A folder that cannot be written is no error. */
  readonly save: () => void;
}

interface CacheSettings {
  /** How many entries that were not used stay, the newest first (default: none). */
  readonly keep?: number;
  /** Of the program: the same text for the same sources. An empty one keeps nothing. */
  readonly version: string;
}

/**
 * Opens a cache of a repository: `tributary/<name>.json` in its git directory. A file that is damaged, or of another version, counts as
 * missing.
 */
export function openCache<T>(gitDir: AbsolutePath, name: string, { keep = 0, version }: CacheSettings): Cache<T> {
  const file = join(gitDir, 'tributary', `${name}.json`);
  let read: ReadonlyMap<string, T> | undefined;
  const known = (): ReadonlyMap<string, T> => (read ??= version === '' ? new Map<string, T>() : readEntries(file, version));
  const used = new Map<string, T>();
  let isChanged = false;
  return {
    get: (key) => {
      const value = used.get(key) ?? known().get(key);
      if (value !== undefined) used.set(key, value);
      return value;
    },
    add: (key, value) => {
      used.set(key, value);
      isChanged = true;
    },
    save: () => {
      const others = isChanged && keep > 0 ? [...known()].filter(([key]) => !used.has(key)).slice(0, keep) : [];
      if (isChanged && version !== '') writeEntries(file, version, [...used, ...others]);
      isChanged = false;
    },
  };
}

function readEntries<T>(file: string, version: string): ReadonlyMap<string, T> {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('latin1', 0, end) !== sealOf(version, body)) return new Map();
    return new Map(Object.entries(JSON.parse(body.toString('latin1')) as Readonly<Record<string, T>>));
  } catch {
    return new Map();
  }
}

/** Replaces the file as a whole, because several commands may run at once. */
function writeEntries(file: string, version: string, entries: Iterable<readonly [string, unknown]>): void {
  // In ASCII: a large text of other characters takes twice the memory and several times as long to read.
  const json = JSON.stringify(Object.fromEntries(entries));
  const body = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(written, `${sealOf(version, body)}\n${body}`);
    renameSync(written, file);
  } catch {
    if (existsSync(written)) rmSync(written, { force: true });
  }
}

function sealOf(version: string, body: string | Buffer): string {
  return createHash('sha256').update(`${version}\n`).update(body).digest('hex');
}
