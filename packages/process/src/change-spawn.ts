import childProcess from 'node:child_process';

/**
 * Changes the arguments of every later `spawn` call of this process with `change`. It is for code that Node loads into other people's
 * programs. It affects only calls through the module (`child_process.spawn`), not references to `spawn` taken earlier.
 */
export function changeSpawn(change: (call: readonly unknown[]) => readonly unknown[]): void {
  const { spawn } = childProcess;
  const changed = (...call: unknown[]): unknown => Reflect.apply(spawn, childProcess, [...change(call)]);
  childProcess.spawn = changed as typeof spawn;
}
