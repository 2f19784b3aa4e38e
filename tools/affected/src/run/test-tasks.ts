import type { Git } from '@tributary/git/git';
import type { AffectedConfig } from '@tributary/model/config';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import type { TestTask } from '../check/narrow-inputs.js';
import { turboText } from '../io/reading.js';
import { HashedFiles } from '../plan/hashed-files.js';
import { parseTurboInputs } from '../plan/turbo-inputs.js';
import { parseTurboTasks, withOwnTasks } from '../plan/turbo-tasks.js';
import { Upstream } from '../plan/upstream.js';
import type { HeadProject } from './head-project.js';
import { plannedWorkspaces } from './plan.js';
import { readOwnTurboFiles } from './task-side.js';

/** The tasks of turbo.json that run tests, if some inputs leave files out; none without a turbo.json. Throws `CONFIG_INVALID`. */
export async function readTestTasks(git: Git, head: HeadProject, config: AffectedConfig): Promise<readonly TestTask[]> {
  const { side, project, graph } = head;
  const text = turboText(side.texts);
  if (text === undefined || !/"(?:tasks|pipeline)"/.test(text)) return [];
  const own = await readOwnTurboFiles(git, project);
  const inputs = parseTurboInputs(text, own);
  const turbo = withOwnTasks(parseTurboTasks(text), own);
  if (inputs.areWhole) return [];
  const workspaces = plannedWorkspaces(project.workspaces, { graph, config, isAsked: () => false });
  const facts = { inputs, changed: new Map(), files: () => new Map(), hasLinks: () => false, turboInputs: config.turboInputs };
  const upstream = new Upstream(turbo, workspaces);
  const names = new Set([...turbo.keys()].map((key) => key.slice(key.indexOf('#') + 1)));
  return [...names]
    .filter((task) => kindOfTask(task) === 'test')
    .sort()
    .map((task) => {
      const having = workspaces.filter(({ scripts }) => (scripts.get(task) ?? '') !== '');
      return { hashed: new HashedFiles(upstream, facts, task), workspaces: new Set(having.map(({ name }) => name)) };
    });
}
