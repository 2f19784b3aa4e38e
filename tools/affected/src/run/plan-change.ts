import { parseRevision } from '@tributary/git/changeset';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { keptInMemory } from '../observe/kept-observation.js';
import type { Observation } from '../observe/observation.js';
import type { Plan } from '../plan/plan.js';
import { readHeadProject } from './head-project.js';
import { makePlan } from './plan.js';
import { selectWithHead } from './select-with-head.js';

/** A change between two commits of a clone. */
interface PlannedChange {
  readonly cwd: AbsolutePath;
  readonly base: string;
  readonly head: string;
  readonly task: string;
  /** With them the change is judged as under `"observed": "narrow"`, unless its tributary.json says `off`. */
  readonly observations: readonly Observation[] | undefined;
}

/** What a pull request with a change would run; nothing is fetched. Throws as `selectWithHead` and `makePlan`. */
export async function planChange({ observations, ...change }: PlannedChange, services: Services): Promise<Plan> {
  const { task } = change;
  const kept = observations?.map(keptInMemory);
  const observed = kept === undefined ? {} : { observed: { use: 'narrow' as const, observations: kept, task } };
  const request = { ...change, ...ASKED, ...observed, base: parseRevision(change.base), head: parseRevision(change.head) };
  return makePlan(await selectWithHead(request, services), { ...request, ...ON_ONE });
}

/** What runs if every workspace is tested at a commit. Throws as `readHeadProject` and `makePlan`. */
export async function planEverything(
  { cwd, head: commit, task }: Omit<PlannedChange, 'base' | 'observations'>,
  services: Services,
): Promise<Plan> {
  const head = await readHeadProject({ cwd, head: parseRevision(commit) }, services);
  const { members } = head.graph;
  const workspaces = members.map(({ name, path }) => ({ name, path: path === '' ? '.' : path, reasons: [{ kind: 'all' as const }] }));
  const all = { code: 'BASE_UNKNOWN' as const, reason: 'Nothing is compared.' };
  const counts = { workspaceCount: members.length, unclaimedFiles: [], warnings: [] };
  const affected = { schemaVersion: 1 as const, base: null, head: commit, mergeBase: null, all, workspaces, ...counts };
  const answer = { affected, head, changed: new Map(), tasksAtBase: 'same' as const, observedEdges: {} };
  return makePlan(answer, { cwd, base: undefined, head: commit, task, ...ASKED, ...ON_ONE });
}

const ASKED = { filesFrom: undefined, pullRequest: undefined, uncommitted: 'without', fetch: 'never' } as const;

/** On one machine: the suites are not cut. */
const ON_ONE = { timings: new Map(), shardRequest: { setupSeconds: 0, maxShards: 1, shards: 1 }, dropped: [] };

/** The workspaces of which a plan runs the task, each once. */
export function workspacesIn({ shards }: Plan): ReadonlySet<string> {
  return new Set(shards.flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace)));
}
