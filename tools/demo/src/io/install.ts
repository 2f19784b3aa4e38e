import type { AbsolutePath } from '@tributary/model/paths';
import { yarnRelease } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { runManager, type Surroundings } from './package-managers.js';

/** Installs the lockfile below `folder` with Yarn 4. Changes no file that git tracks. Throws `PROGRAM_FAILED`. */
export async function install(folder: AbsolutePath, surroundings: Surroundings): Promise<void> {
  const home = new TempFolder();
  try {
    const command = [process.execPath, yarnRelease(surroundings.root), 'install', '--immutable'] as const;
    await runManager(command, { folder, home: home.path, failure: 'Yarn 4 could not install the monorepo' }, surroundings);
  } finally {
    home.dispose();
  }
}
