import { mayEnd } from '@tributary/references/written-path';
import { foldersAbove } from '@tributary/workspaces/folders';
import type { FileReader, ReferenceFacts } from './reference-facts.js';

type Readers = ReferenceFacts['readers'];

/** Returns who is known to read a file, or to read a folder as a whole. */
export function readersIn(readers: Readers, path: string): readonly FileReader[] {
  return Object.hasOwn(readers, path) ? (readers[path] ?? []) : [];
}

/** Tells whether others name a file of a workspace, or a folder around it. `folder`: that of the workspace. */
export function isReadFrom(readers: Readers, folder: string, file: string): boolean {
  // A folder around the workspace names a file only by its ending.
  return [file, ...foldersAbove(file)].some((path) =>
    readersIn(readers, path).some(({ ending }) => (ending !== undefined || path.length > folder.length) && mayEnd(file, ending)),
  );
}
