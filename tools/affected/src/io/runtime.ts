import { callProgram } from '@tributary/process/spawn';
import { isRuntime, type Runtime, runtimeOf } from '../plan/runtime.js';
import { environmentOfTurbo } from './turbo.js';

/**
 * Returns the runtime of the tasks in a folder: that of the `node` in PATH, which may be another one than ours. `undefined` if there is
 * none. Throws `INTERRUPTED`.
 */
export async function readRuntime(folder: string, signal: AbortSignal): Promise<Runtime | undefined> {
  const { NODE_OPTIONS: _, ...env } = environmentOfTurbo(folder);
  const args = ['-p', '[process.platform, process.arch, process.versions.node].join(" ")'];
  try {
    const { stdout } = await callProgram({ program: 'node', args, env, cwd: folder, timeoutMs: LIMIT_MS, signal });
    const [platform = '', arch = '', version = ''] = stdout.toString('utf8').trim().split(' ');
    const runtime = runtimeOf({ platform, arch, version });
    return isRuntime(runtime) ? runtime : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

const LIMIT_MS = 60_000;
