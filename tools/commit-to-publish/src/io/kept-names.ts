import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseJson } from '../model/parse-json.js';
import { COLLECTED_FOLDER, collectedFile, damagedCollectedFile } from './collected-file.js';
import { replaceFile } from './durable.js';

const ENDING = '.names.json';

/** Former name -> new name. */
export type KeptNames = Readonly<Record<string, string>>;

/**
 * Returns the new names that a registry reported for packages of any repository of a record. `collect` joined these packages, so `compare`
 * and a later `collect` without a registry join them too. `all` ignores a damaged file. Throws `RECORD_INVALID`.
 */
export function readKeptNames(record: AbsolutePath, what: 'new' | 'all'): KeptNames {
  const folder = join(record, COLLECTED_FOLDER);
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder).filter((entry) => entry.endsWith(ENDING));
  return Object.assign({}, ...files.sort().map((entry) => readNames(join(folder, entry), what)));
}

function readNames(file: string, what: 'new' | 'all'): KeptNames {
  const value = parseJson(readFileSync(file, 'utf8'));
  const names = isPlainObject(value) && value['schemaVersion'] === 1 ? value['names'] : undefined;
  if (isPlainObject(names) && Object.values(names).every((name) => typeof name === 'string')) return names as KeptNames;
  if (what === 'all') return {};
  throw damagedCollectedFile(file, 'Collect with --registry and --full, which rewrites it.');
}

/** Replaces the new names kept for packages of one repository. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeKeptNames(record: AbsolutePath, repo: string, names: KeptNames): void {
  const file = collectedFile(record, repo, ENDING);
  if (Object.keys(names).length === 0 && !existsSync(file)) return;
  replaceFile(file, `${JSON.stringify({ schemaVersion: 1, names })}\n`);
}
