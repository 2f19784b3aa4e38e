import type { Observation } from '../observe/observation.js';
import type { ObservedVariables } from './finding.js';
import type { HashedTask } from './observed-inputs.js';
import { nameAt, type Project } from './project.js';

/** Describe the machine, the terminal, or the programs that start tests. turborepo passes most of them on, and hashes none. */
const OF_MACHINE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|_|TMPDIR|TEMP|TMP|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|NODE_\w+|INIT_CWD|PROJECT_CWD|BERRY_BIN_FOLDER)$|^(?:npm_|TURBO_|AFFECTED_|COREPACK_)/;

/**
 * Holds the environment variables that pieces read against those that turborepo hashes for them. Only variables that were set count: in
 * turborepo's strict mode, the others stay unset. A copy of all variables tells nothing.
 */
export function findObservedVariables(
  project: Project,
  observations: readonly Observation[],
  taskOf: (task: string) => Pick<HashedTask, 'hashesVariable'>,
): readonly ObservedVariables[] {
  const read = new Map<string, { readonly from: number; readonly task: string; readonly names: Set<string> }>();
  for (const { task, workspace, variables } of observations) {
    const from = project.byName.get(workspace);
    if (task === undefined || from === undefined) continue;
    const key = `${task} ${workspace}`;
    const known = read.get(key) ?? { from, task, names: new Set<string>() };
    read.set(key, known);
    for (const name of variables?.read ?? []) if (!OF_MACHINE.test(name)) known.names.add(name);
  }
  return [...read.values()].flatMap(({ from, task, names }) => {
    const workspace = nameAt(project, from);
    const { hashesVariable } = taskOf(task);
    const open = [...names].filter((name) => !hashesVariable(workspace, name)).sort();
    return open.length === 0 ? [] : [{ kind: 'observed-variables', severity: 'note', workspace, task, names: open }];
  });
}
