import { basename, resolve } from 'node:path';
import workers from 'node:worker_threads';
import { type ProgramStart, watchStarts } from '@tributary/process/watch-starts';
import { findProgram, isRunnable, startsNode } from '../node-program.js';
import { META } from './modules.js';
import { real, record, recordGap, see } from './record.js';

/**
 * Records the programs and workers that a process starts. What is Node with these hooks has a log of its own; everything else is not seen.
 * `ours`: the option of `NODE_OPTIONS` that loads the hooks.
 */
export function hookPrograms(ours: string): void {
  watchStarts({
    before: (start) => (lookAt(start).isNode ? changedOptions(start, ours) : undefined),
    started: (start) => recordProgram(lookAt(start)),
    awaited: (start) => {
      const found = lookAt(start);
      if (isRunnable(found.program, real)) recordProgram(found);
    },
  });
  hookWorkers();
}

interface FoundProgram {
  readonly program: string;
  readonly isNode: boolean;
}

function lookAt({ file, env, cwd = '.' }: ProgramStart): FoundProgram {
  see('found', cwd);
  const place = { path: env['PATH'], cwd: resolve(cwd), look: (path: string) => see('found', path), real };
  const program = findProgram(file, place);
  return { program, isNode: startsNode(program, place) };
}

function recordProgram({ program, isNode }: FoundProgram): void {
  see('read', program);
  record(['program', program, isNode]);
  if (!isNode) recordGap('native-program', program);
}

/** Node with restricted file access cannot load the hooks. Yarn and cross-env start scripts, which may have options of their own. */
function changedOptions({ args, env }: ProgramStart, ours: string): string | undefined {
  const options = env['NODE_OPTIONS'] ?? '';
  const isOurs = options.includes(ours);
  if ([options, ...args].some((text) => /--(?:experimental-)?permission/.test(text))) return isOurs ? options.replace(ours, '') : undefined;
  if (isOurs || !/^(?:yarn|cross-env)(?:[.-].*)?$/.test(basename(process.argv[1] ?? ''))) return undefined;
  return options === '' ? ours : `${ours} ${options}`;
}

/** A worker with another environment, or other options, may start without the hooks. */
function hookWorkers(): void {
  const { Worker } = workers;
  const hooked: typeof Worker = new Proxy(Worker, {
    construct(target, args: ConstructorParameters<typeof Worker>, newTarget) {
      if (args[1]?.eval === true && META.test(String(args[0]))) recordGap('not-hooked', 'import.meta in a worker');
      const worker = Reflect.construct(target, args, newTarget === hooked ? target : newTarget) as InstanceType<typeof Worker>;
      record(['thread', worker.threadId]);
      return worker;
    },
  });
  workers.Worker = hooked;
}
