import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readText } from '../engines/variables.js';
import { asRecord, readObject } from '../plan/turbo-tasks.js';
import { readEnvironment } from './environment.js';
import { readTurboFile } from './machine.js';

/**
 * Returns the value of TURBO_CACHE with which results come only from this machine, and those that are made go wherever the job's do;
 * `undefined` if the job does not read and write there.
 */
export function localCache(): string | undefined {
  const env = readEnvironment();
  if (['TURBO_REMOTE_ONLY', 'TURBO_REMOTE_CACHE_READ_ONLY'].some((name) => readText(env, name) !== undefined)) return undefined;
  const uses = new Map(
    (readText(env, 'TURBO_CACHE') ?? 'local:rw,remote:rw').split(',').map((part) => part.split(':') as [string, string]),
  );
  if (uses.get('local') !== 'rw') return undefined;
  return `local:rw,remote:${uses.get('remote')?.includes('w') === true ? 'w' : ''}`;
}

/**
 * Removes results from turborepo's cache on this machine, so that it makes them anew. One in another folder than turborepo's documented
 * ones stays, and is replayed again. Returns whether it could.
 */
export function forgetResults(project: string, hashes: readonly string[]): boolean {
  const config = asRecord(readObject(readTurboFile(project) ?? '{}', 'turbo.json'));
  const named = [readText(readEnvironment(), 'TURBO_CACHE_DIR'), config['cacheDir'], '.turbo/cache'];
  const folders = named.filter((folder) => typeof folder === 'string').map((folder) => resolve(project, folder));
  for (const folder of new Set(folders))
    for (const hash of hashes)
      for (const end of ['.tar.zst', '-meta.json', '-manifest.json']) {
        try {
          rmSync(join(folder, `${hash}${end}`), { force: true });
        } catch {
          return false;
        }
      }
  return true;
}
