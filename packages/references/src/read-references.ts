import type { RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { isCodeFile, isCodeSettings } from './file-kinds.js';
import type { FileReferences, Reach } from './reference.js';
import { scanFile } from './scan-file.js';
import { readLiterals } from './settings/literals.js';
import { readSettings } from './settings/read-settings.js';

/** Returns what a code or settings file refers to; nothing for other files. */
export function readReferences(path: RepoPath, text: string, reach: Reach = 'upwards'): FileReferences {
  if (!isCodeFile(path)) return { path, ...readSettings(path, text) };
  const scanned = scanFile(path, text, reach);
  const isSettings = isCodeSettings(path);
  if (!isSettings && reach === 'upwards') return scanned;
  // In other code, a literal may be a path from the folder in which a program starts, but it is no plugin or preset.
  const literals = readLiterals(text, parentFolder(path)).filter(({ form }) => isSettings || form === 'text');
  const found = new Set(scanned.names.map(({ specifier, form }) => `${form} ${specifier}`));
  const further = literals.filter(({ specifier, form }) => !found.has(`${form} ${specifier}`));
  return { ...scanned, names: [...scanned.names, ...further] };
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
