import childProcess from 'node:child_process';

/**
 * From here on every `spawn` of this process gets what `change` makes of its arguments. For code that Node loads into programs of
 * others, which call it through the module (`child_process.spawn`): what they took out of it before stays as it is.
 */
export function changeSpawn(change: (call: readonly unknown[]) => readonly unknown[]): void {
  const { spawn } = childProcess;
  const changed = (...call: unknown[]): unknown => Reflect.apply(spawn, childProcess, [...change(call)]);
  childProcess.spawn = changed as typeof spawn;
}
