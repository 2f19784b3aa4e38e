// The program that hold-signals.test.ts runs as a process. Each way holds a signal, and says when it is ready for one.
import { writeSync } from 'node:fs';
import { closedEnvironment } from './environment.js';
import { finishFirst, holdSignals } from './hold-signals.js';
import { callProgram } from './spawn.js';

const say = (text: string): number => writeSync(1, `${text}\n`);

function compute(ms: number): void {
  for (const start = Date.now(); Date.now() - start < ms; );
}

const WAYS: Readonly<Record<string, () => Promise<void> | void>> = {
  /** Two at once: none ends the process before the other program has ended. */
  programs: async () => {
    const call = (script: string): Promise<unknown> =>
      callProgram({ program: 'sh', args: ['-c', script], env: closedEnvironment(process.env), onStderr: () => say('ready') });
    await Promise.allSettled([
      call('exec sleep 1000'),
      call('trap "sleep 0.3; echo ended >> ended; exit" TERM; echo >&2; while :; do sleep 0.05; done'),
    ]);
    say('went on');
  },
  folder: async () => {
    const release = holdSignals(() => say('stop'));
    say('ready');
    await new Promise((resolve) => setTimeout(resolve, 500));
    say('removed');
    await release();
    say('went on');
  },
  /** It computes until after the signal. */
  computing: async () => {
    const release = holdSignals();
    say('ready');
    compute(1000);
    await release();
    say('went on');
  },
  stretch: async () => {
    finishFirst(() => {
      say('ready');
      compute(1000);
      say('written');
    });
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  /** As a command that takes something back. */
  handled: async () => {
    process.on('SIGTERM', () => say('handled'));
    const release = holdSignals(() => say('stop'));
    say('ready');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await release();
    say('went on');
  },
  released: async () => {
    await holdSignals()();
    say('ready');
    compute(Number.POSITIVE_INFINITY);
  },
};

void WAYS[process.argv[2] ?? '']?.();
