import Module from 'node:module';
import { dirname, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exists, recordGap, see, use } from './record.js';
import { quietly, tell } from './replace.js';

// Node's loaders read modules with the public functions of `fs`, which `files.ts` replaces. They look for them in other ways: `require` with
// the functions here, which it also calls for an ES module that was not found. `module-scopes.ts` adds the rest after the run.

/** Uses of `import.meta` other than to know where a module is. */
export const META = /\bimport\s*\.\s*meta\b(?!\s*\.\s*(?:url|dirname|filename|main|env)\b)/;

interface Loader {
  _stat: (path: string) => number;
}

interface Parent {
  readonly filename?: string | null;
  readonly id?: string;
  readonly paths?: readonly string[];
}

export function hookModules(): void {
  const loader = Module as unknown as Loader;
  const stat = loader._stat;
  quietly(() => {
    loader._stat = (path) => {
      const kind = stat(path);
      use(kind < 0 ? 'absent' : 'found', path);
      // Its main file may be looked for.
      if (kind === 1) see('read', `${path}/package.json`);
      return kind;
    };
  });
  tell(Module, '_findPath', ([request, paths]) => findPackages(String(request), paths));
  tell(Module, '_resolveFilename', ([request, parent]) => {
    const { filename, id = '', paths } = (parent ?? {}) as Parent;
    const file = filename ?? id;
    seeScope(isAbsolute(file) ? dirname(file) : '.');
    // The loader of ES modules asks so for a hint, after it has looked in vain.
    if (filename === null && isAbsolute(id)) seeMissing(String(request), id, paths ?? []);
  });
  // A loader may resolve a module for another parent than the one that was read.
  for (const name of ['findPackageJSON', 'enableCompileCache', 'setSourceMapsSupport', 'register', 'registerHooks'])
    tell(Module, name, () => recordGap('not-hooked', `module.${name}`));
}

/** What `import` looked for is not what `require` looks for: an extension is never added, and a package may have another entry. */
function seeMissing(request: string, parent: string, folders: readonly string[]): void {
  if (/^[./]/.test(request)) see('found', new URL(request, pathToFileURL(parent)));
  else if (request.startsWith('#') || folders.some((folder) => exists(`${folder}/${nameIn(request) ?? ''}`)))
    recordGap('not-hooked', `${request}, which is missing`);
}

/** The manifest of a package decides which of its files there are. */
function findPackages(request: string, folders: unknown): void {
  const name = nameIn(request);
  if (name === undefined || !Array.isArray(folders)) return;
  for (const folder of folders) {
    see('read', `${folder}/${name}/package.json`);
    if (exists(`${folder}/${name}/package.json`)) return;
  }
}

/** Returns the name of the package; `undefined` for a path. */
function nameIn(request: string): string | undefined {
  return /^(?![./\\])(?:@[^/]+\/)?[^/]+/.exec(request)?.[0];
}

/** Lets the manifests and packages above a folder count. */
export function seeScope(folder: string): void {
  see('read', `${folder}/package.json`);
}
