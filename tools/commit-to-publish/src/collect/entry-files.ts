import { isPlainObject } from '@tributary/model/plain-object';

/** What a manifest, and the file .npmignore beside it, say about the files that a package publishes. */
export interface PublishedFiles {
  /** The field `files`; `undefined` where there is none. */
  readonly files: readonly string[] | undefined;
  /** The text of .npmignore; `undefined` where there is none. npm does not read it where there is a field `files`. */
  readonly npmignore: string | undefined;
  /** The files that the manifest names as what a program loads, from the folder of the package. */
  readonly entries: readonly string[];
}

/** What a manifest says about the files that its package publishes. Its fields may have any type. */
export function saidOfFiles(raw: Readonly<Record<string, unknown>>): Omit<PublishedFiles, 'npmignore'> {
  const { main, module, bin, exports, files } = raw;
  const named = [main, module, ...textsIn(bin), ...textsIn(exports)].filter((path) => typeof path === 'string' && !path.includes('*'));
  // Without any, Node looks for this file.
  const entries = named.length === 0 ? ['index.js'] : named.map((path) => String(path).replace(/^(?:\.?\/)+|\/+$/g, ''));
  return { entries, files: Array.isArray(files) ? files.filter((pattern) => typeof pattern === 'string') : undefined };
}

/** All texts of `bin` or `exports`, but for declarations of types, which are built more often than written. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlainObject(value) ? Object.entries(value).flatMap(([key, inside]) => (key === 'types' ? [] : textsIn(inside))) : [];
}

/** Under which names Node finds what an entry names. */
export function namesOfEntry(entry: string): readonly string[] {
  return ['', '.js', '.cjs', '.mjs', '.json', '/index.js'].map((end) => `${entry}${end}`);
}
