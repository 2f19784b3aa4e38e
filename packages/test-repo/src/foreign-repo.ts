import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from './run-cli.js';
import type { TempFolder } from './temp-folder.js';
import type { TempRepo } from './temp-repo.js';

/** Only root may give files to another user. */
export const MAY_GIVE_AWAY = process.getuid?.() === 0;

const PROGRAMS = ['core.fsmonitor', 'core.sshCommand', 'diff.external', 'diff.evil.textconv', 'filter.evil.clean', 'filter.evil.smudge'];
const HOOKS = ['reference-transaction', 'post-index-change', 'post-checkout', 'pre-auto-gc'];

/**
 * Gives a repository to another user, who has set up programs wherever git allows it. It also becomes a partial clone that lacks the file
 * `missing`, so that git would start the program of its remote. Returns a function that lists the programs that ran; their traces are in
 * `traces`.
 */
export async function giveAway(repo: TempRepo, missing: string, traces: TempFolder): Promise<() => readonly string[]> {
  const program = (name: string): string => {
    const file = traces.write(`programs/${name}`, `#!/bin/sh\ntouch '${traces.join('ran')}/${name}'\nexit 1\n`);
    chmodSync(file, 0o755);
    return file;
  };
  traces.write('ran/.keep', '');
  const id = repo.id(`HEAD:${missing}`);
  const object = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2));
  if (!existsSync(object)) throw new Error(`${missing} is not a loose object`);
  rmSync(object);
  repo.write({ '.git/info/attributes': '* diff=evil filter=evil\n' });
  for (const hook of HOOKS) repo.write({ [`.git/hooks/${hook}`]: { executable: `#!/bin/sh\n'${program(hook)}'\n` } });
  for (const key of PROGRAMS) repo.git('config', key, program(key));
  repo.git('config', 'remote.origin.url', join(repo.path, 'nowhere'));
  repo.git('config', 'remote.origin.uploadpack', program('uploadpack'));
  repo.git('config', 'remote.origin.promisor', 'true');
  repo.git('config', 'extensions.partialClone', 'origin');
  repo.git('config', 'core.repositoryformatversion', '1');
  const given = await runProcess('chown', ['-R', '12345:12345', repo.path], { cwd: '/' });
  if (given.code !== 0) throw new Error(given.stderr);
  return () => readdirSync(traces.join('ran')).filter((name) => name !== '.keep');
}
