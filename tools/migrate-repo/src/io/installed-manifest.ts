import { join } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import { readTextFile } from '@tributary/process/unusable-file';
import { readJson } from '@tributary/workspaces/json';
import { scriptsOf } from '../fields.js';

/**
 * Returns the package.json in a folder; `undefined` if it cannot be read. Third-party programs have run there, and may
 * have left anything.
 */
export function readInstalledManifest(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const reading = readJson(readTextFile(join(folder, 'package.json')));
    return 'value' in reading && isPlainObject(reading.value) ? reading.value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the scripts of the package in a folder, by name; `undefined` if its manifest cannot be read. */
export function scriptsIn(folder: string): Readonly<Record<string, string>> | undefined {
  const manifest = readInstalledManifest(folder);
  return manifest && scriptsOf(manifest);
}

/** Whether the package in a folder has a script. An unreadable manifest counts as having it: running the script then reports the error. */
export function hasScript(folder: string, script: string): boolean {
  const scripts = scriptsIn(folder);
  return scripts === undefined || Object.hasOwn(scripts, script);
}
