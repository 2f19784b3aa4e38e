import type { NeededTask } from '../reference.js';
import type { KeyedText } from './keyed-text.js';

/** Where turborepo, Nx and wireit name a task. */
const TASKS = /^(?:tasks|pipeline|targets|targetDefaults|wireit)$/;
const NEEDS = /^(?:dependsOn|dependencies|with)$/;

/** Returns which tasks a task runner runs for others. Sources: `schema.json` of turbo 2.11.9, `nx-schema.json` of nx 24, `schema.json` of wireit. */
export function neededTasks(values: readonly KeyedText[]): readonly NeededTask[] {
  return values.flatMap(({ keys, text, line }) => {
    const at = keys.findIndex((key) => TASKS.test(key));
    const [task, list, , detail = 'target'] = keys.slice(at + 1);
    if (at === -1 || task === undefined || !NEEDS.test(list ?? '') || !/^(?:target|script)$/.test(detail)) return [];
    const [of, other] = [workspaceOf(task), workspaceOf(text)];
    return [
      {
        task: nameOf(task),
        ...(of === undefined ? {} : { of }),
        needs: nameOf(text),
        ...(other === undefined ? {} : { in: other }),
        line,
      },
    ];
  });
}

/** `@acme/ui#lint` -> `@acme/ui`, `//#lint` -> `//` */
function workspaceOf(text: string): string | undefined {
  return /^([^#]+)#/.exec(text)?.[1];
}

/** `^lint`, `@acme/ui#lint`, `../ui:lint` -> `lint` */
function nameOf(text: string): string {
  return text.replace(/^(?:\^|.*#|\.\.?\/.*?:)/, '');
}
