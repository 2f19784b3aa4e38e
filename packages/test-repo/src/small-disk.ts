import type { AbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from './clean-up.js';
import { runProcess } from './run-cli.js';
import { TempFolder } from './temp-folder.js';

/** Mounts a separate disk in memory; `undefined` if this user may not mount. `options`: those of mount(8) for tmpfs, such as `size=4m`. */
export async function mountDisk(cleanUp: CleanUp, options: string): Promise<AbsolutePath | undefined> {
  const mountPoint = cleanUp.add(new TempFolder());
  const run = (program: string, ...args: string[]) => runProcess(program, args, { cwd: '/' }).catch(() => ({ code: 1 }));
  if ((await run('mount', '-t', 'tmpfs', '-o', options, 'tributary-test', mountPoint.path)).code !== 0) return undefined;
  cleanUp.defer(() => run('umount', '-l', mountPoint.path));
  return mountPoint.path;
}

/** Changes the options of such a disk, such as `ro` or `size=8m`. */
export async function remountDisk(mountPoint: AbsolutePath, options: string): Promise<void> {
  const result = await runProcess('mount', ['-o', `remount,${options}`, mountPoint], { cwd: '/' });
  if (result.code !== 0) throw new Error(result.stderr);
}
