import { callProgram } from '@tributary/process/spawn';
import { TaskWatch } from './task-evidence.js';
import { environmentOfTurbo, findTurbo, type TurboCall } from './turbo.js';

/**
 * Returns the variables that turborepo passes to the task of a workspace: it withholds most of the job's, and documents no list. It starts
 * the task with a file that exits at once, without reading or writing a cache. `undefined` if the task was not started. Throws
 * `INTERRUPTED`.
 */
export async function readTaskEnvironment({
  folder,
  task,
  workspace,
  signal,
}: Pick<TurboCall, 'folder' | 'task' | 'signal'> & { readonly workspace: string }): Promise<Readonly<Record<string, string>> | undefined> {
  const watch = new TaskWatch({ task, named: [], outside: '-', probe: true });
  // The job's own cache variables would contradict ours.
  const { TURBO_FORCE: _, TURBO_CACHE: __, NODE_OPTIONS: options, ...env } = environmentOfTurbo(folder);
  const { program, first } = findTurbo(folder);
  const args = [...first, 'run', task, `--filter=${workspace}`, '--only', '--cache=local:,remote:', '--output-logs=none'];
  try {
    await callProgram({
      program,
      args,
      env: { ...env, NODE_OPTIONS: watch.nodeOptions(options) },
      cwd: folder,
      timeoutMs: LIMIT_MS,
      signal,
    });
    const { NODE_OPTIONS: _ours, ...found } = watch.readProbe() ?? {};
    if (Object.keys(found).length === 0) return undefined;
    return options === undefined ? found : { ...found, NODE_OPTIONS: options };
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  } finally {
    watch.remove();
  }
}

const LIMIT_MS = 120_000;
