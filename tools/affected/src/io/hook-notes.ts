import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// Shared code of the files that Node or a test runner loads into the processes of a task. They are all in one temporary folder:
// `__dirname`.

/** Writes a note about this process. */
export function note(kind: 'cpu' | 'run' | 'file', value: object): void {
  try {
    writeFileSync(join(__dirname, `${kind}-${process.pid}.json`), JSON.stringify(value));
  } catch {}
}

/** Set where TURBO_FORCE is ours: what it was before, or nothing. */
export const FORCED = 'AFFECTED_FORCED';

/** Restores the environment for everything started from here on. */
export function leave(): void {
  delete process.env['AFFECTED_HOOK'];
  const forced = process.env[FORCED];
  if (forced === '') delete process.env['TURBO_FORCE'];
  else if (forced !== undefined) process.env['TURBO_FORCE'] = forced;
  delete process.env[FORCED];
  const options = (process.env['NODE_OPTIONS'] ?? '').replace(/ ?--require "[^"]*task-hook\.cjs"/, '');
  if (options === '') delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = options;
}

/**
 * Fails the process if its report is missing: a test that calls `process.exit(0)` also ends its runner. Turborepo must not cache that as a
 * result, because the next shard would trust it.
 */
export function failWithout(report: string): void {
  process.on('exit', (code) => {
    if (code !== 0 || existsSync(report) || !existsSync(__dirname)) return;
    process.exitCode = 1;
    try {
      writeSync(
        2,
        'affected: the test runner ended before its report, so it is unknown whether its tests ran. Does a test call process.exit?\n',
      );
    } catch {}
  });
}
