import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// What the files share that Node or a test runner loads into the processes of a task. They lie in one temporary folder: `__dirname`.

/** Leaves what a process knows. */
export function note(kind: 'cpu' | 'run' | 'file', value: object): void {
  try {
    writeFileSync(join(__dirname, `${kind}-${process.pid}.json`), JSON.stringify(value));
  } catch {}
}

/** Everything that is started from here on finds the environment as it was. */
export function leave(): void {
  delete process.env['AFFECTED_HOOK'];
  const options = (process.env['NODE_OPTIONS'] ?? '').replace(/ ?--require "[^"]*task-hook\.cjs"/, '');
  if (options === '') delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = options;
}

/** A test that calls `process.exit(0)` ends its runner too. Turborepo must not keep that as a result: the next shard would believe it. */
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
