/** A task of turborepo's run summary, with its order if the summary has it. */
export interface OrderedTask {
  readonly package: string;
  readonly task: string;
  readonly hash: string;
  /** Lists of `<package>#<task>`. */
  readonly dependencies?: unknown;
  readonly dependents?: unknown;
}

/**
 * Returns a function for the hashes of all tasks that `dependsOn` puts before a task, directly or indirectly. A summary does not list tasks
 * without a script, but names them before and after others. They count as one task, which adds some hashes too many. If the summary does
 * not tell the order, all other tasks count.
 */
export function tasksBefore(tasks: readonly OrderedTask[]): (task: OrderedTask) => readonly string[] {
  const listed = new Map(tasks.map((one) => [idOf(one), one]));
  const beforeUnlisted = tasks.filter((one) => namesIn(one.dependents)?.some((id) => !listed.has(id)) !== false).map(idOf);
  return (task) => {
    const found = new Set(namesIn(task.dependencies) ?? listed.keys());
    for (const id of found) {
      const one = listed.get(id);
      const before = one === undefined ? beforeUnlisted : (namesIn(one.dependencies) ?? listed.keys());
      for (const next of before) found.add(next);
    }
    const hashes = new Set([...found].flatMap((id) => listed.get(id)?.hash ?? []));
    return [...hashes].filter((hash) => hash !== task.hash).sort();
  };
}

function idOf({ package: workspace, task }: OrderedTask): string {
  return `${workspace}#${task}`;
}

function namesIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
}
