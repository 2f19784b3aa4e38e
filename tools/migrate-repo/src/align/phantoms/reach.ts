import { posix } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import { isCode } from './file-class.js';

/** The files of a package; all paths are from its folder. */
export interface OwnFiles {
  readonly paths: ReadonlySet<string>;
  readonly read: (path: string) => string | undefined;
}

/**
 * The files that whoever installs a package can load: its entry points, and what these name by relative paths. `undefined`: perhaps all of them. So it is without `exports`,
 * for then each file can be loaded by its path, and where an entry point is not in git or a path is made while the code runs.
 * Source: https://nodejs.org/api/packages.html#main-entry-point-export
 */
export function reachedFiles({ raw }: Pick<Manifest, 'raw'>, files: OwnFiles): ReadonlySet<string> | undefined {
  if (raw['exports'] === undefined) return undefined;
  const found = targetsOf(raw).map((target) => filesAt(target, files.paths));
  const reached = new Set(found.flat());
  if (found.some((paths) => paths.length === 0)) return undefined;
  for (const file of reached) {
    const named = namedIn(file, files);
    if (named === undefined) return undefined;
    for (const path of named) reached.add(path);
  }
  return reached;
}

/** What the manifest names. `umd` is for pages: a bundle of the same code. */
function targetsOf({ exports: exported, main, module, browser, types, typings, bin }: Manifest['raw']): readonly string[] {
  return [exported, main, module, browser, types, typings, bin].flatMap(textsIn);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (key === 'umd' ? [] : textsIn(one)));
}

const EXTENSIONS = ['', '.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx', '.d.ts', '.json', '.vue', '.svelte'] as const;

/** A star stands for anything. A file of TypeScript is named by what is made of it, too. */
function filesAt(target: string, paths: ReadonlySet<string>): readonly string[] {
  const path = posix.normalize(target).replace(/\/$/, '');
  // A folder of `exports`: each file below it.
  const [start = '', end] = target.endsWith('/') ? [path === '.' ? '' : `${path}/`, ''] : path.split('*');
  if (end !== undefined) return [...paths].filter((one) => one.startsWith(start) && one.endsWith(end));
  const stems = [path, path.replace(/\.([cm]?)js$/, '.$1ts'), path.replace(/\.js$/, '.tsx'), posix.join(path, 'index')];
  const found = stems.flatMap((stem) => EXTENSIONS.map((extension) => stem + extension)).find((one) => paths.has(one));
  if (found === undefined) return [];
  // TypeScript reads the declarations that stand beside.
  const declared = found.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
  return declared !== found && paths.has(declared) ? [found, declared] : [found];
}

/** Code that loads what it does not name: a path that is put together, the folder of the file, `imports` of the manifest. */
const UNNAMED =
  /\b(?:require|import)\s*\((?!\s*(['"])[^'"`]*\1\s*[,)])|\brequire\b(?!\s*\(|\.resolve\s*\()|\bcreateRequire\b|\b__(?:dir|file)name\b|\bimport\.meta\b|(?:\bfrom|\bimport|\()\s*['"]#/;
const RELATIVE = /(['"`])(\.{1,2}(?:\/[^'"`\n]*)?)\1/g;

/** `undefined`: what a file loads cannot be told. What was built has no relative path to what it was built from. */
function namedIn(file: string, { paths, read }: OwnFiles): readonly string[] | undefined {
  // A binary without an extension is code too.
  if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(file)) return posix.basename(file).includes('.') ? [] : undefined;
  const text = read(file) ?? '';
  if (!isCode(file) || UNNAMED.test(text)) return undefined;
  const found = [...text.matchAll(RELATIVE)].map(([, , path = '']) => filesAt(posix.join(posix.dirname(file), path), paths));
  return found.some((one) => one.length === 0) ? undefined : found.flat();
}
