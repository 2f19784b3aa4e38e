import { isPlainObject } from '@tributary/model/plain-object';

/** What a manifest and the .npmignore next to it say about the published files of a package. */
export interface PublishedFiles {
  /** The field `files`; `undefined` if it is missing. */
  readonly files: readonly string[] | undefined;
  /** The text of .npmignore; `undefined` if there is none. npm ignores it if the manifest has a field `files`. */
  readonly npmignore: string | undefined;
  /** The files that programs load according to the manifest, relative to the package. */
  readonly entries: readonly string[];
}

/** Returns what a manifest says about the published files of its package. Its fields may have any type. */
export function saidOfFiles(raw: Readonly<Record<string, unknown>>): Omit<PublishedFiles, 'npmignore'> {
  const { main, module, bin, exports, files } = raw;
  const named = [main, module, ...textsIn(bin), ...textsIn(exports)].filter((path) => typeof path === 'string' && !path.includes('*'));
  // Without any entry, Node loads this file.
  const entries = named.length === 0 ? ['index.js'] : named.map((path) => String(path).replace(/^(?:\.?\/)+|\/+$/g, ''));
  return { entries, files: Array.isArray(files) ? files.filter((pattern) => typeof pattern === 'string') : undefined };
}

/** Returns all strings in `bin` or `exports`, except type declarations, which are usually generated. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlainObject(value) ? Object.entries(value).flatMap(([key, inside]) => (key === 'types' ? [] : textsIn(inside))) : [];
}

/** Returns the file names that Node tries for an entry. */
export function namesOfEntry(entry: string): readonly string[] {
  return ['', '.js', '.cjs', '.mjs', '.json', '/index.js'].map((end) => `${entry}${end}`);
}
