import type { RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { isCodeFile, isCodeSettings } from './file-kinds.js';
import { ALONE, type FileReferences, type Scope } from './reference.js';
import { scanFile } from './scan-file.js';
import { readLiterals } from './settings/literals.js';
import { readCodeSettings, readSettings, withLiterals } from './settings/read-settings.js';

/** Returns what a code or settings file refers to; nothing for other files. */
export function readReferences(path: RepoPath, text: string, scope: Scope = ALONE): FileReferences {
  if (!isCodeFile(path)) return { path, ...readSettings(path, text) };
  const isSettings = isCodeSettings(path);
  // What a path in settings of the root means, its key says.
  const scanned = scanFile(path, text, isSettings && scope.reach === 'everywhere' ? { ...scope, entries: ALONE.entries } : scope);
  if (!isSettings && scope.reach === 'upwards') return scanned;
  // In other code, a literal may be a path from the folder in which a program starts, but it is no plugin or preset.
  const literals = readLiterals(text, parentFolder(path), isSettings);
  const keyed = isSettings ? withLiterals(scanned.names, readCodeSettings(path, text)) : scanned.names;
  return { ...scanned, names: withLiterals(keyed, literals) };
}

/** Returns the file with copied strings, because a substring would keep the whole text in memory. */
export function detachNames(file: FileReferences): FileReferences {
  return {
    ...file,
    names: file.names.map(detachName),
    opaque: file.opaque.map((place) => ({ ...place, folder: detach(place.folder) })),
  };
}

function detachName(name: FileReferences['names'][number]): FileReferences['names'][number] {
  const specifier = detach(name.specifier);
  if (!('key' in name)) return { ...name, specifier };
  const { reader } = name;
  return { ...name, specifier, key: detach(name.key), ...(reader === undefined ? {} : { reader: detach(reader) }) };
}

/** Returns a copy of a string that shares no memory with the text it was cut from. */
export function detach(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
