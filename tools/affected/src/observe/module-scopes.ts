import type { UseTable } from './paths.js';

const CODE = /(?:^|\/)[^/.]+$|\.[cm]?[jt]sx?$/;

/**
 * Adds what Node looks up for each module without `fs`: the nearest package.json above it, and the folders node_modules in which a package
 * would be found first. `exists`: with one character per byte, after the run.
 */
export function addScopes(table: UseTable, exists: (path: string) => boolean): void {
  const known = new Map<string, boolean>();
  const isThere = (path: string): boolean => {
    const found = known.get(path) ?? exists(path);
    known.set(path, found);
    return found;
  };
  for (const [path, { read, readByTool }] of [...table.uses]) {
    const moment = Math.min(read, readByTool);
    if (moment === Infinity || !CODE.test(path)) continue;
    let isOpen = true;
    for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      const manifest = `${folder}/package.json`;
      if (isOpen) table.mark(manifest, isThere(manifest) ? (read <= readByTool ? 'read' : 'readByTool') : 'absent', moment);
      isOpen &&= !isThere(manifest);
      const packages = `${folder}/node_modules`;
      table.mark(packages, isThere(packages) ? 'found' : 'absent', moment);
      if (at === 0) break;
    }
  }
}
