import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { concurrencyOf } from '../plan/concurrency.js';
import { readEnvironment } from './environment.js';

/** What a shard runs on. */
export interface Machine {
  readonly cores: number;
  /** How many tasks turborepo runs at once at most. */
  readonly concurrency: number;
}

/** Of this machine, for turborepo in the root of a project. */
export function readMachine(folder: string): Machine {
  const cores = availableParallelism();
  const file = ['turbo.json', 'turbo.jsonc'].map((name) => join(folder, name)).find((path) => existsSync(path));
  const text = file === undefined ? undefined : readFileSync(file, 'utf8');
  return { cores, concurrency: concurrencyOf({ variable: readEnvironment()['TURBO_CONCURRENCY'], text, cores }) };
}
