import { existsSync, readFileSync } from 'node:fs';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { ForgePublications } from '../collect/forge-publications.js';
import { parseJson } from '../model/parse-json.js';
import { collectedFile, damagedCollectedFile } from './collected-file.js';
import { replaceFile } from './durable.js';

/** The publications that the forge reported for a repository, as kept in a record. */
export interface KeptPublications extends ForgePublications {
  readonly schemaVersion: 1;
  /** The ETag of the list of releases; `null` if the server sends none. */
  readonly etag: string | null;
}

export const NOTHING_KEPT: KeptPublications = { schemaVersion: 1, etag: null, releases: [], deployments: {} };

/** Returns nothing if the forge was never asked. `repo`: the name of the repository in the record. Throws `RECORD_INVALID`. */
export function readKeptPublications(record: AbsolutePath, repo: string): KeptPublications {
  const file = collectedFile(record, repo, '.publications.json');
  if (!existsSync(file)) return NOTHING_KEPT;
  const value = parseJson(readFileSync(file, 'utf8'));
  if (!isKept(value)) throw damagedCollectedFile(file, 'Collect with --github and --full, which rewrites it.');
  return value;
}

export function writeKeptPublications(record: AbsolutePath, repo: string, kept: KeptPublications): void {
  replaceFile(collectedFile(record, repo, '.publications.json'), `${JSON.stringify(kept)}\n`);
}

function isKept(value: unknown): value is KeptPublications {
  return isPlainObject(value) && value['schemaVersion'] === 1 && Array.isArray(value['releases']) && isPlainObject(value['deployments']);
}
