import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import type { OwnReferences } from '@tributary/references/own-references';

/** Set by scripts/bundle.mjs: a hash of the sources that read references. Missing in tests of the sources, which keep nothing. */
declare const REFERENCES_VERSION: string | undefined;

/** What was read of sources before, by a key for the content of its files. Without it an answer takes longer, and stays the same. */
export interface ReferenceCache {
  readonly get: (key: string) => OwnReferences | undefined;
  readonly add: (key: string, own: OwnReferences) => void;
  /** Writes what was used, if anything was added. A folder that cannot be written is no error. */
  readonly save: () => void;
}

/**
 * Opens the cache of a repository: `tributary/references.json` in its git directory. A file that is damaged, or of another version, counts
 * as missing.
 */
export function openReferenceCache(
  gitDir: AbsolutePath,
  version = typeof REFERENCES_VERSION === 'string' ? REFERENCES_VERSION : '',
): ReferenceCache {
  const file = join(gitDir, 'tributary', 'references.json');
  const known = version === '' ? new Map<string, OwnReferences>() : readEntries(file, version);
  const used = new Map<string, OwnReferences>();
  let isChanged = false;
  return {
    get: (key) => {
      const own = used.get(key) ?? known.get(key);
      if (own !== undefined) used.set(key, own);
      return own;
    },
    add: (key, own) => {
      used.set(key, own);
      isChanged = true;
    },
    save: () => {
      if (isChanged && version !== '') writeEntries(file, version, used);
      isChanged = false;
    },
  };
}

function readEntries(file: string, version: string): ReadonlyMap<string, OwnReferences> {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== sealOf(version, body)) return new Map();
    return new Map(Object.entries(JSON.parse(body) as Readonly<Record<string, OwnReferences>>));
  } catch {
    return new Map();
  }
}

/** Replaces the file as a whole, because several commands may run at once. */
function writeEntries(file: string, version: string, entries: ReadonlyMap<string, OwnReferences>): void {
  const body = JSON.stringify(Object.fromEntries(entries));
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(written, `${sealOf(version, body)}\n${body}`);
    renameSync(written, file);
  } catch {
    if (existsSync(written)) rmSync(written, { force: true });
  }
}

function sealOf(version: string, body: string): string {
  return createHash('sha256').update(`${version}\n`).update(body).digest('hex');
}
