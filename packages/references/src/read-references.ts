import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isSettingsFile } from './file-kinds.js';
import type { FileReferences } from './reference.js';
import { scanImports } from './scan-imports.js';
import { readManifestFacts, readSettingPaths } from './setting-paths.js';

/** Returns what a code or settings file refers to; nothing for other files. */
export function readReferences(path: RepoPath, text: string): FileReferences {
  if (isCodeFile(path)) return { path, names: scanImports(text), opaque: [] };
  const names = isSettingsFile(path) ? readSettingPaths(path, text) : [];
  const found = { path, names, opaque: [] };
  return /(^|\/)package\.json$/.test(path) ? { ...found, manifest: readManifestFacts(text) } : found;
}

/** Returns the file with copied strings, because a substring would keep the whole text in memory. */
export function detachNames(file: FileReferences): FileReferences {
  return { ...file, names: file.names.map((name) => ({ ...name, specifier: detach(name.specifier) })) };
}

/** Returns a copy of a string that shares no memory with the text it was cut from. */
export function detach(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
