import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/**
 * The folder of this project, sought upwards from `from`. Not from `import.meta.url`: that is empty in a bundle, and a package's
 * sources, its `dist` and a bundle lie at different depths. Throws an `Error` outside of the project.
 */
export function findProjectRoot(from: string = process.cwd()): AbsolutePath {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'tributary') return parseAbsolutePath(folder);
    if (folder === dirname(folder)) throw new Error(`${from} is not inside the project "tributary".`);
  }
}

/** The Yarn that the project has committed. */
export function yarnRelease(root: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(root, '.yarn/releases/yarn-4.18.1.cjs'));
}

/** Yarn 1, a development dependency. */
export function yarnClassic(root: AbsolutePath): AbsolutePath {
  return parseAbsolutePath(join(root, 'node_modules/yarn-classic/bin/yarn.js'));
}
