import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { yarnRelease } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { LOCKFILE_NAME } from '../organisation/lockfile.js';
import { runManager, type Surroundings } from './package-managers.js';

/** Lets Yarn 4 resolve every workspace below `folder` anew, and install it. Of what git tracks, it changes the lockfile. Throws `PROGRAM_FAILED`. */
export async function installAnew(folder: AbsolutePath, surroundings: Surroundings): Promise<void> {
  // An entry that is there stays: what the registry has served would be taken from there, also where it is a workspace now.
  writeFileSync(join(folder, LOCKFILE_NAME['Yarn 4']), '');
  const home = new TempFolder();
  try {
    const command = [process.execPath, yarnRelease(surroundings.root), 'install', '--no-immutable'] as const;
    await runManager(command, { folder, home: home.path, failure: 'Yarn 4 could not install the monorepo' }, surroundings);
  } finally {
    home.dispose();
  }
}
