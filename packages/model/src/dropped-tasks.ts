import { type ConfigLocation, readList, readObject, readText } from './config-reading.js';

/** A workspace that loses a task on purpose. */
export interface DroppedTask {
  /** The workspace's name at the base. */
  readonly name: string;
  readonly task: string;
  /** The reason, for people. */
  readonly because: string;
}

/** Reads `affected.dropped`; the task defaults to `test`. */
export function parseDropped(value: unknown, at: ConfigLocation): readonly DroppedTask[] {
  return readList(value, at).map((entry, index) => readDropped(entry, { path: [...at.path, index], fail: at.fail }));
}

function readDropped(value: unknown, { path, fail }: ConfigLocation): DroppedTask {
  const at = (key: string): ConfigLocation => ({ path: [...path, key], fail });
  const { name, task = 'test', because } = readObject(value, { path, keys: ['name', 'task', 'because'], fail });
  return { name: readText(name, at('name')), task: readText(task, at('task')), because: readText(because, at('because')) };
}
