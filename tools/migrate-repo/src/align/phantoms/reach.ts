import { posix } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import picomatch from 'picomatch';
import { isCode } from './file-class.js';

/** The files of a package. All paths are relative to its folder. */
export interface OwnFiles {
  readonly paths: ReadonlySet<string>;
  readonly read: (path: string) => string | undefined;
}

/**
 * Returns the files that consumers of a package can load: its entry points, and the relative paths in these.
 * `undefined` means possibly all files. That is so without `exports`, because any file can then be loaded by path. It
 * is also so if an entry point is not in git, or if code computes a path. Source:
 * https://nodejs.org/api/packages.html#main-entry-point-export
 */
export function reachedFiles({ raw }: Pick<Manifest, 'raw'>, files: OwnFiles): ReadonlySet<string> | undefined {
  if (raw['exports'] === undefined) return undefined;
  const found = targetsOf(raw).map((target) => filesAt(target, files.paths));
  return found.some((paths) => paths.length === 0) ? undefined : filesFrom(found.flat(), files);
}

/** Returns the entry points, and entries of `files`, that are not in git: a build makes them. */
export function builtTargets({ raw }: Pick<Manifest, 'raw'>, paths: ReadonlySet<string>): readonly string[] {
  const listed = textsIn(raw['files']).filter((entry) => !/^!|\.(?:md|txt)$|^[A-Z]+$/.test(entry));
  const isThere = (entry: string): boolean => {
    const test = picomatch(
      [entry, `${entry}/**`].map((one) => posix.join('/', one)),
      { dot: true },
    );
    return [...paths].some((path) => test(`/${path}`));
  };
  const missing = targetsOf(raw).filter((target) => filesAt(target, paths).length === 0);
  const isOfCode = (target: string): boolean => !/\.d\.[cm]?ts$/.test(target);
  // Declarations may be made of scripts that are published as they are.
  const isOfTypes = (entry: string): boolean => missing.some((target) => !isOfCode(target) && isBelow(target, entry));
  return [...missing.filter(isOfCode), ...listed.filter((entry) => !isThere(entry) && !isOfTypes(entry))];
}

function isBelow(file: string, folder: string): boolean {
  return posix.join('/', file).startsWith(posix.join('/', folder, '/'));
}

/** Returns the files that a built file is likely made of: `dist/a.js` of `src/a.ts`, or of the index of a folder for sources. */
export function likelySources(built: readonly string[], folders: readonly string[], paths: ReadonlySet<string>): readonly string[] {
  const stems = built.flatMap((target) => {
    const names = posix
      .normalize(target)
      .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
      .split('/');
    return names.slice(1).map((_, at) => names.slice(at + 1).join('/'));
  });
  const indexes = folders.map((folder) => `${folder}/index`);
  const places = stems.flatMap((stem) => [stem, ...folders.map((folder) => `${folder}/${stem}`)]);
  return [...indexes, ...places]
    .filter((place) => !place.includes('*'))
    .flatMap((place) => filesAt(place, paths))
    .filter(isCode);
}

/** Returns files with those that they load, over any number of files; `undefined` if code computes a path. */
export function filesFrom(start: readonly string[], files: OwnFiles): ReadonlySet<string> | undefined {
  const reached = new Set(start);
  for (const file of reached) {
    const named = namedIn(file, files);
    if (named === undefined) return undefined;
    for (const path of named) reached.add(path);
  }
  return reached;
}

/** Returns the targets in the manifest. `umd` is for pages, and bundles the same code. */
export function targetsOf({ exports: exported, main, module, browser, types, typings, bin }: Manifest['raw']): readonly string[] {
  return [exported, main, module, browser, types, typings, bin].flatMap(textsIn);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (key === 'umd' ? [] : textsIn(one)));
}

const EXTENSIONS = ['', '.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx', '.d.ts', '.json', '.vue', '.svelte'] as const;

/** Returns the files for a target. A star matches anything. A JavaScript name also matches the TypeScript file that it is compiled from. */
function filesAt(target: string, paths: ReadonlySet<string>): readonly string[] {
  const path = posix.normalize(target).replace(/\/$/, '');
  // A folder in `exports` exports every file below it.
  const [start = '', end] = target.endsWith('/') ? [path === '.' ? '' : `${path}/`, ''] : path.split('*');
  if (end !== undefined) return [...paths].filter((one) => one.startsWith(start) && one.endsWith(end));
  const stems = [path, path.replace(/\.([cm]?)js$/, '.$1ts'), path.replace(/\.js$/, '.tsx'), posix.join(path, 'index')];
  const found = stems.flatMap((stem) => EXTENSIONS.map((extension) => stem + extension)).find((one) => paths.has(one));
  if (found === undefined) return [];
  // TypeScript reads declarations next to the file.
  const declared = found.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
  return declared !== found && paths.has(declared) ? [found, declared] : [found];
}

/** Code that loads files without naming them: a computed path, the file's folder, or `imports` of the manifest. */
const UNNAMED =
  /\b(?:require|import)\s*\((?!\s*(['"])[^'"`]*\1\s*[,)])|\brequire\b(?!\s*\(|\.resolve\s*\()|\bcreateRequire\b|\b__(?:dir|file)name\b|\bimport\.meta\b|(?:\bfrom|\bimport|\()\s*['"]#/;
const RELATIVE = /(['"`])(\.{1,2}(?:\/[^'"`\n]*)?)\1/g;

/** Returns the relative paths that a file loads; `undefined` if that is unknown. Built files have no relative path to their sources. */
function namedIn(file: string, { paths, read }: OwnFiles): readonly string[] | undefined {
  // A binary without an extension is code too.
  if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(file)) return posix.basename(file).includes('.') ? [] : undefined;
  const text = read(file) ?? '';
  if (!isCode(file) || UNNAMED.test(text)) return undefined;
  const found = [...text.matchAll(RELATIVE)].map(([, , path = '']) => filesAt(posix.join(posix.dirname(file), path), paths));
  return found.some((one) => one.length === 0) ? undefined : found.flat();
}
