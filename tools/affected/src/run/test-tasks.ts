import type { Git } from '@tributary/git/git';
import type { AffectedConfig } from '@tributary/model/config';
import type { RepoFolder } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import type { TestTask } from '../check/narrow-inputs.js';
import type { HashedTask } from '../check/observed-inputs.js';
import { turboText } from '../io/reading.js';
import { HashedFiles, type HashingFacts } from '../plan/hashed-files.js';
import { variablesHashedBy } from '../plan/hashed-variables.js';
import { parseTurboInputs } from '../plan/turbo-inputs.js';
import { parseTurboTasks, type TurboTasks, withOwnTasks } from '../plan/turbo-tasks.js';
import { type PlannedWorkspace, taskId, Upstream } from '../plan/upstream.js';
import type { HeadProject } from './head-project.js';
import { plannedWorkspaces } from './plan.js';
import { readOwnTurboFiles } from './task-side.js';

/** What turborepo hashes at a commit. */
interface Hashing {
  readonly turbo: TurboTasks;
  readonly workspaces: readonly PlannedWorkspace[];
  readonly upstream: Upstream;
  readonly facts: HashingFacts;
  readonly hashesVariable: ReturnType<typeof variablesHashedBy>;
}

/** The tasks of turbo.json that run tests, if some inputs leave files out; none without a turbo.json. Throws `CONFIG_INVALID`. */
export async function readTestTasks(git: Git, head: HeadProject, config: AffectedConfig): Promise<readonly TestTask[]> {
  const hashing = await readHashing(git, head, config);
  if (hashing === undefined || hashing.facts.inputs.areWhole) return [];
  const { turbo, workspaces, upstream, facts } = hashing;
  const names = new Set([...turbo.keys()].map((key) => key.slice(key.indexOf('#') + 1)));
  return [...names]
    .filter((task) => kindOfTask(task) === 'test')
    .sort()
    .map((task) => {
      const having = workspaces.filter(({ scripts }) => (scripts.get(task) ?? '') !== '');
      return { hashed: new HashedFiles(upstream, facts, task), workspaces: new Set(having.map(({ name }) => name)) };
    });
}

/** What turborepo hashes for any task; `undefined` without a turbo.json. `turboRules`: those of turbo.json. Throws `CONFIG_INVALID`. */
export async function readHashedTasks(
  git: Git,
  { head, config, turboRules }: { readonly head: HeadProject; readonly config: AffectedConfig; readonly turboRules: FileRules },
): Promise<((task: string) => HashedTask) | undefined> {
  const hashing = await readHashing(git, head, config);
  if (hashing === undefined) return undefined;
  const { upstream, facts, hashesVariable } = hashing;
  const ofRoot = usedByRoot(head.graph);
  return (task) => ({
    hashed: new HashedFiles(upstream, facts, task),
    inputsOf: (workspace) => facts.inputs.of(workspace, task),
    isGlobal: (path) => turboRules(path, 'outside')?.source === 'turbo.json' || ofRoot.has(ownerPlace(head.graph, path) ?? -1),
    turboInputs: config.turboInputs,
    hashesVariable: (workspace, name) => [taskId(workspace, task), ...upstream.of(workspace, task)].some((id) => hashesVariable(id, name)),
  });
}

/** The places of the workspaces that the root depends on, directly or not. Source: turborepo 2.11.9, which hashes them for every task. */
function usedByRoot({ byPath, edges }: DependencyGraph): ReadonlySet<number> {
  const root = byPath.get('' as RepoFolder);
  const used = new Set<number>();
  const open = root === undefined ? [] : [root];
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const { to } of edges.filter((edge) => edge.from === from && edge.to !== root && !used.has(edge.to))) {
      used.add(to);
      open.push(to);
    }
  return used;
}

async function readHashing(git: Git, { side, project, graph }: HeadProject, config: AffectedConfig): Promise<Hashing | undefined> {
  const text = turboText(side.texts);
  if (text === undefined || !/"(?:tasks|pipeline)"/.test(text)) return undefined;
  const own = await readOwnTurboFiles(git, project);
  const inputs = parseTurboInputs(text, own);
  const turbo = withOwnTasks(parseTurboTasks(text), own);
  const workspaces = plannedWorkspaces(project.workspaces, { graph, config, isAsked: () => false });
  const facts = { inputs, changed: new Map(), files: () => new Map(), hasLinks: () => false, turboInputs: config.turboInputs };
  return { turbo, workspaces, upstream: new Upstream(turbo, workspaces), facts, hashesVariable: variablesHashedBy(text, own) };
}
