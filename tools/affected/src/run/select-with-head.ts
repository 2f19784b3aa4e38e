import type { ChangedFile } from '@tributary/model/changeset';
import type { Services } from '@tributary/terminal/main';
import { changedFilesByMember } from '@tributary/workspaces/affected';
import { mayChangeTasks } from '../changed-files.js';
import { listCommit } from '../io/reading.js';
import type { AffectedResult } from '../result.js';
import { decide } from './decide.js';
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
}

/** Answers like `selectAffected`, with the project at the head. Throws the errors of `selectAffected` and `readHeadProject`. */
export async function selectWithHead(request: AffectedRequest, services: Services): Promise<AffectedProject> {
  return gather(request, services, async (inputs) => {
    // Git lists the files while the answer is computed.
    const listing = listCommit(inputs.git, inputs.headTree);
    const decision = await decide(inputs);
    const head = await completeHead(decision, inputs, { request, services, listing });
    return {
      affected: resultOf(inputs, decision),
      head,
      changed: changedFilesByMember(decision.question),
      tasksAtBase: hasSameTasks(inputs) ? 'same' : 'unknown',
    };
  });
}

/** True only if git compared the merge base with the planned commit. */
function hasSameTasks({ all, files, filesAre, head, headTree }: AffectedInputs): boolean {
  return all === undefined && filesAre !== 'listed' && headTree === head && !mayChangeTasks(files);
}
