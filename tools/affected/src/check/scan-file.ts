import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isSettingsFile } from './file-kinds.js';
import { scanImports } from './scan-imports.js';
import { readScriptLines, readSettingPaths } from './setting-paths.js';
import type { ScannedFile } from './undeclared.js';

/** Lists what a code file or a settings file names; nothing for any other file. */
export function scanFile(path: RepoPath, text: string): ScannedFile {
  if (isCodeFile(path)) return { path, names: scanImports(text) };
  const names = isSettingsFile(path) ? readSettingPaths(path, text) : [];
  return /(^|\/)package\.json$/.test(path) ? { path, names, scripts: readScriptLines(text) } : { path, names };
}

/** The same file with texts of their own: a piece that was cut out of a long text keeps all of it in memory. */
export function detachNames({ path, names }: ScannedFile): ScannedFile {
  return { path, names: names.map((name) => ({ ...name, specifier: detach(name.specifier) })) };
}

/** An equal text that shares no memory with the one it was cut out of. */
export function detach(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
