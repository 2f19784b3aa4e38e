import { isPlainObject } from '@tributary/model/plain-object';
import type { UseTable } from './paths.js';

const MANIFEST = /\/package\.json$/;
const ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];

/**
 * Adds what Node looks up without `fs` for a module, which any file that was read may be: each package.json above it, what the main file of
 * that package could be, and the folders node_modules in which another package would be found first. `read`: returns the text of a manifest
 * after the run, any text for another file, '' for a folder, and `undefined` for nothing; paths have one character per byte.
 */
export function addScopes(table: UseTable, read: (path: string) => string | undefined): void {
  const known = new Map<string, string | undefined>();
  const textOf = (path: string): string | undefined => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
  for (const [path, use] of [...table.uses]) {
    const moment = Math.min(use.read, use.readByTool, MANIFEST.test(path) ? use.absent : Infinity);
    if (moment === Infinity) continue;
    const [asRead, asListed] =
      use.readByTool < Math.min(use.read, use.absent) ? (['readByTool', 'listedByTool'] as const) : (['read', 'listed'] as const);
    for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      const manifest = `${folder}/package.json`;
      const text = textOf(manifest);
      table.mark(manifest, text === undefined ? 'absent' : asRead, moment);
      for (const main of mainFiles(text)) {
        const found = textOf(`${folder}/${main}`);
        table.mark(`${folder}/${main}`, found === undefined ? 'absent' : 'found', moment);
        if (found !== undefined && found !== '') break;
      }
      const packages = `${folder}/node_modules`;
      const isThere = textOf(packages) !== undefined;
      table.mark(packages, isThere ? asListed : 'absent', moment);
      // Packages that are kept in the repository count whole: nobody sees which manifests are read.
      if (isThere) table.at(packages).moved = true;
      if (at === 0) break;
    }
  }
}

/** What may be the main file of a package, in the order in which Node looks for it. */
function mainFiles(manifest: string | undefined): readonly string[] {
  const value = manifest === undefined ? undefined : parse(manifest);
  if (!isPlainObject(value) || value['exports'] !== undefined) return [];
  const main = value['main'];
  return [...(typeof main === 'string' ? ENDINGS.map((ending) => main + ending) : []), 'index.js', 'index.json', 'index.node'];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
