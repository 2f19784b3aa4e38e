import { type ConfigLocation, readList, readObject, readText } from './config-reading.js';

/** A workspace that loses a task on purpose. */
export interface DroppedTask {
  /** Of the workspace, as the base has it. */
  readonly name: string;
  readonly task: string;
  /** For people. */
  readonly because: string;
}

/** `affected.dropped`; the task is `test` where none is named. */
export function parseDropped(value: unknown, at: ConfigLocation): readonly DroppedTask[] {
  return readList(value, at).map((entry, index) => readDropped(entry, { path: [...at.path, index], fail: at.fail }));
}

function readDropped(value: unknown, { path, fail }: ConfigLocation): DroppedTask {
  const at = (key: string): ConfigLocation => ({ path: [...path, key], fail });
  const { name, task = 'test', because } = readObject(value, { path, keys: ['name', 'task', 'because'], fail });
  return { name: readText(name, at('name')), task: readText(task, at('task')), because: readText(because, at('because')) };
}
