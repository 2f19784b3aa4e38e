import { join } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import { readTextFile } from '@tributary/process/unusable-file';
import { readJson } from '@tributary/workspaces/json';

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

/** Whether the package in a folder has a script. An unreadable manifest counts as having it: running the script then reports the error. */
export function hasScript(folder: string, script: string): boolean {
  return scriptsIn(folder)?.includes(script) ?? true;
}

/** Returns the names of the scripts of the package in a folder; `undefined` if its manifest cannot be read. */
export function scriptsIn(folder: string): readonly string[] | undefined {
  const manifest = readInstalledManifest(folder);
  if (manifest === undefined) return undefined;
  const { scripts } = manifest;
  return isPlainObject(scripts) ? Object.keys(scripts).filter((name) => typeof scripts[name] === 'string') : [];
}
