import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import { readJson } from '@tributary/workspaces/json';

/** Returns the package.json in a folder; `undefined` where it cannot be read: programs of strangers have run there, and may have left anything. */
export function readInstalledManifest(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const reading = readJson(readFileSync(join(folder, 'package.json'), 'utf8'));
    return 'value' in reading && isPlainObject(reading.value) ? reading.value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the package in a folder has a script of that name. One whose manifest cannot be read may have it: who runs the script says what is wrong. */
export function hasScript(folder: string, script: string): boolean {
  const manifest = readInstalledManifest(folder);
  if (manifest === undefined) return true;
  const { scripts } = manifest;
  return isPlainObject(scripts) && typeof scripts[script] === 'string';
}
