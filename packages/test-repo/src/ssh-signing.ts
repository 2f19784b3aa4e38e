import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TempFolder } from './temp-folder.js';
import type { TempRepo } from './temp-repo.js';

/** Creates an ssh key in `folder` and makes a repository sign with it. Needs `ssh-keygen`, as git does for such signatures. */
export function signWithSsh(repo: TempRepo, folder: TempFolder): void {
  const key = join(folder.path, 'key');
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  if (made.status !== 0) throw new Error(`ssh-keygen ended with ${made.status ?? made.error?.message}`);
  repo.git('config', 'gpg.format', 'ssh');
  repo.git('config', 'user.signingKey', key);
}
