import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { orUnusable, readTextFile } from '@tributary/process/unusable-file';
import { type NamedObservation, parseObservation } from '../observe/observation.js';

/**
 * Reads one observation, or all `.json` files of a folder, in the order of their names. Throws `OBSERVATION_INVALID`, and `FILE_UNUSABLE`
 * for an unreadable file and a folder without any.
 */
export function readObservations(path: AbsolutePath): readonly NamedObservation[] {
  const isFolder = orUnusable(path, 'read', () => statSync(path).isDirectory());
  const names = isFolder ? orUnusable(path, 'read', () => readdirSync(path)).filter((name) => name.endsWith('.json')) : [];
  if (isFolder && names.length === 0) {
    const hint = 'Make one: affected trace -- <command>.';
    throw new ToolError({ code: 'FILE_UNUSABLE', message: `No observation found in ${path}.`, hint, data: { file: path } });
  }
  return (isFolder ? names.sort().map((name) => join(path, name)) : [path]).map((file) => {
    const text = readTextFile(file);
    return { file, observation: parseObservation(text, file) };
  });
}
