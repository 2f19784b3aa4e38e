import Module from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { real, recordGap, see, use } from './record.js';

// Node's loaders read modules with the public functions of `fs`, which `files.ts` replaces. They look for them in other ways. This is
// what `require` does, and the ESM loader for a module that it did not find.

interface Loader {
  _resolveFilename(this: unknown, request: string, parent: Parent | null, ...rest: unknown[]): string;
  /** Also those of NODE_PATH; `null` for a module of Node. */
  _resolveLookupPaths(request: string, parent: Parent | null): readonly string[] | null;
  readonly _extensions: Readonly<Record<string, unknown>>;
}

interface Parent {
  readonly filename?: string | null;
  readonly id?: string;
}

const loader = Module as unknown as Loader;

export function hookModules(): void {
  // With a type of its own: it is called with the `this` that it gets.
  const original: (...args: never[]) => string = Reflect.get(loader, '_resolveFilename');
  const known = new Set<string>();
  loader._resolveFilename = function (request, parent, ...rest) {
    try {
      const folder = folderOf(parent);
      const key = `${folder}\n${request}`;
      if (!known.has(key) && !isBuiltin(request)) for (const base of basesOf(request, folder, parent)) if (lookFor(base)) break;
      known.add(key);
    } catch {
      recordGap('not-hooked', 'a call of require');
    }
    return Reflect.apply(original, this, [request, parent, ...rest]);
  };
  const { findPackageJSON } = Module as unknown as { findPackageJSON?: (...args: unknown[]) => unknown };
  if (findPackageJSON === undefined) return;
  Object.assign(Module, {
    findPackageJSON: (...args: unknown[]) => {
      recordGap('not-hooked', 'module.findPackageJSON');
      return findPackageJSON(...args);
    },
  });
}

function isBuiltin(request: string): boolean {
  return request.startsWith('node:') || Module.builtinModules.includes(request);
}

function folderOf(parent: Parent | null): string {
  const file = parent?.filename ?? parent?.id ?? '';
  return isAbsolute(file) ? dirname(file) : process.cwd();
}

/** Where a request may lead, in Node's order. */
function basesOf(request: string, folder: string, parent: Parent | null): readonly string[] {
  if (/^\.{0,2}(?:[\\/]|$)/.test(request) || isAbsolute(request)) return [resolve(folder, request)];
  return (loader._resolveLookupPaths(request, parent) ?? []).map((path) => resolve(path, request));
}

/** Tells whether a file was found: the path itself, with an extension, or as a folder. */
function lookFor(base: string): boolean {
  const endings = Object.keys(loader._extensions);
  const isAny = (path: string, all: readonly string[]): boolean => all.some((ending) => isFile(path + ending));
  if (isAny(base, ['', ...endings])) return true;
  see('read', `${base}/package.json`);
  const main = mainOf(base);
  if (main !== undefined && (isAny(`${base}/${main}`, ['', ...endings]) || isAny(`${base}/${main}/index`, endings))) return true;
  return isAny(`${base}/index`, endings);
}

/** Looks up a path, which `use` records once. */
function isFile(path: string): boolean {
  const found = real.statSync(path, { throwIfNoEntry: false });
  use(found === undefined ? 'absent' : 'found', path);
  return found?.isFile() === true;
}

function mainOf(folder: string): string | undefined {
  try {
    const { main } = JSON.parse(real.readFileSync(`${folder}/package.json`, 'utf8')) as { readonly main?: unknown };
    return typeof main === 'string' ? main : undefined;
  } catch {
    return undefined;
  }
}
