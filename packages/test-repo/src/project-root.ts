import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/**
 * Returns the folder of this project, searched upwards from `from`. Not from `import.meta.url`: that is empty in a bundle, and a package's
 * sources, its `dist` and a bundle are at different depths. Throws an `Error` outside the project.
 */
export function findProjectRoot(from: string = process.cwd()): AbsolutePath {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'tributary') return parseAbsolutePath(folder);
    if (folder === dirname(folder)) throw new Error(`${from} is not inside the project "tributary".`);
  }
}

/** Returns the Yarn release committed in the project. */
export function yarnRelease(root: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(root, '.yarn/releases/yarn-4.18.1.cjs'));
}

/** Returns Yarn 1, a development dependency. */
export function yarnClassic(root: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(root, 'node_modules/yarn-classic/bin/yarn.js'));
}
