import type { ChangedFile } from '@tributary/model/changeset';
import type { EdgesConfig } from '@tributary/model/config';
import type { Services } from '@tributary/terminal/main';
import { changedFilesByMember } from '@tributary/workspaces/affected';
import { mayChangeTasks } from '../changed-files.js';
import { listCommit } from '../io/reading.js';
import type { FileSelection } from '../plan/spared-files.js';
import type { AffectedResult } from '../result.js';
import { type Decision, decide } from './decide.js';
import { gather } from './gather.js';
import { completeHead, type HeadProject } from './head-project.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';
import { resultOf } from './select.js';

/** An answer, with its project at the head. */
export interface AffectedProject {
  readonly affected: AffectedResult;
  readonly head: HeadProject;
  /** By workspace, the changed files that select it as their owner; unknown if everything is selected. */
  readonly changed: ReadonlyMap<string, readonly ChangedFile[]>;
  /** Whether the merge base has the same workspaces with the same tasks as the head. */
  readonly tasksAtBase: 'same' | 'unknown';
  /** The observed edges, in the form of `affected.edges`. */
  readonly observedEdges: EdgesConfig;
  /** With `"observed": "files"`: which test files of selected workspaces need not run. */
  readonly testFiles?: FileSelection | undefined;
}

/** Answers like `selectAffected`, with the project at the head. Throws the errors of `selectAffected` and `readHeadProject`. */
export async function selectWithHead(request: AffectedRequest, services: Services): Promise<AffectedProject> {
  return gather(request, services, async (inputs) => {
    // Git lists the files while the answer is computed.
    const listing = listCommit(inputs.git, inputs.headTree);
    const decision = await decide(inputs);
    const head = await completeHead(decision, inputs, { cwd: request.cwd, services, listing });
    return {
      affected: resultOf(inputs, decision),
      head,
      changed: changedFilesByMember(decision.question),
      tasksAtBase: hasSameTasks(inputs) ? 'same' : 'unknown',
      observedEdges: await observedEdgesOf(inputs, head),
      testFiles: await selectFiles(inputs, decision, head),
    };
  });
}

async function observedEdgesOf({ observed, config }: AffectedInputs, { graph }: HeadProject): Promise<EdgesConfig> {
  if (observed === undefined) return {};
  const { declaredIn, edgesOfObservations } = await import('../observe/observed-edges.js');
  return edgesOfObservations(observed.observations, graph, declaredIn(graph, config.dev));
}

/** Shards check out a commit, so nothing is left out for an uncommitted change. */
async function selectFiles(inputs: AffectedInputs, decision: Decision, head: HeadProject): Promise<FileSelection | undefined> {
  if (inputs.observed?.use !== 'files' || inputs.headTree !== inputs.head) return undefined;
  const { spareFiles } = await import('./by-observations.js');
  return spareFiles(inputs, decision, head);
}

/** True only if git compared the merge base with the planned commit. */
function hasSameTasks({ all, files, filesAre, head, headTree }: AffectedInputs): boolean {
  return all === undefined && filesAre !== 'listed' && headTree === head && !mayChangeTasks(files);
}
