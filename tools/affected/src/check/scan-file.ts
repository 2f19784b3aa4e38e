import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isSettingsFile } from './file-kinds.js';
import { scanImports } from './scan-imports.js';
import { readScriptLines, readSettingPaths } from './setting-paths.js';
import type { ScannedFile } from './undeclared.js';

/** Returns what a code or settings file names; nothing for other files. */
export function scanFile(path: RepoPath, text: string): ScannedFile {
  if (isCodeFile(path)) return { path, names: scanImports(text) };
  const names = isSettingsFile(path) ? readSettingPaths(path, text) : [];
  return /(^|\/)package\.json$/.test(path) ? { path, names, scripts: readScriptLines(text) } : { path, names };
}

/** Returns the file with copied strings, because a substring would keep the whole text in memory. */
export function detachNames({ path, names }: ScannedFile): ScannedFile {
  return { path, names: names.map((name) => ({ ...name, specifier: detach(name.specifier) })) };
}

/** Returns a copy of a string that shares no memory with the text it was cut from. */
export function detach(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
