import type { NeededTask } from '../reference.js';
import type { KeyedText } from './keyed-text.js';

/** Where turborepo, Nx and wireit name a task. */
const TASKS = /^(?:tasks|pipeline|targets|targetDefaults|wireit)$/;
const NEEDS = /^(?:dependsOn|dependencies|with)$/;

/** Returns which tasks a task runner runs for others. Sources: `schema.json` of turbo 2.11.9, `nx-schema.json` of nx 24, `schema.json` of wireit. */
export function neededTasks(values: readonly KeyedText[]): readonly NeededTask[] {
  return values.flatMap(({ keys, text }) => {
    const at = keys.findIndex((key) => TASKS.test(key));
    const [task, list, , detail = 'target'] = keys.slice(at + 1);
    if (at === -1 || task === undefined || !NEEDS.test(list ?? '') || !/^(?:target|script)$/.test(detail)) return [];
    return [{ task: nameOf(task), needs: nameOf(text), ...(text.startsWith('//#') ? { isOfRoot: true as const } : {}) }];
  });
}

/** `^lint`, `@acme/ui#lint`, `../ui:lint` -> `lint` */
function nameOf(text: string): string {
  return text.replace(/^(?:\^|.*#|\.\.?\/.*?:)/, '');
}
