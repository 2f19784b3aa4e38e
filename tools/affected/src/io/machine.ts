import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { concurrencyOf, type Machine } from '../plan/machine.js';
import { readEnvironment } from './environment.js';

/** Returns this machine, with turborepo's concurrency in the root of a project. */
export function readMachine(folder: string): Machine {
  const cores = availableParallelism();
  return { cores, concurrency: concurrencyOf(cores, { variable: readEnvironment()['TURBO_CONCURRENCY'], text: readTurboFile(folder) }) };
}

/** Returns the turbo.json of a folder; `undefined` if there is none. */
export function readTurboFile(folder: string): string | undefined {
  const file = ['turbo.json', 'turbo.jsonc'].map((name) => join(folder, name)).find((path) => existsSync(path));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
