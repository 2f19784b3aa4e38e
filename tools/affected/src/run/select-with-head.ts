import type { ChangedFile } from '@tributary/model/changeset';
import type { Services } from '@tributary/terminal/main';
import { changedFilesByMember } from '@tributary/workspaces/affected';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { mayChangeTasks } from '../changed-files.js';
import { listCommit } from '../io/reading.js';
import type { AffectedResult } from '../result.js';
import { decide } from './decide.js';
import { gather } from './gather.js';
import { completeHead, type HeadProject } from './head-project.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';
import { resultOf } from './select.js';

/** An answer for one task, with its project at the head. */
export interface AffectedProject {
  readonly task: string;
  readonly affected: AffectedResult;
  readonly head: HeadProject;
  /** By workspace, the changed files that select it as their owner; unknown if everything is selected. */
  readonly changed: ReadonlyMap<string, readonly ChangedFile[]>;
  /** Whether the merge base has the same workspaces with the same tasks as the head. */
  readonly tasksAtBase: 'same' | 'unknown';
}

/**
 * Answers like `selectAffected` for each task, by its own rules, with the project at the head. Throws the errors of `selectAffected` and
 * `readHeadProject`.
 */
export async function selectWithHead(
  request: AffectedRequest,
  tasks: readonly string[],
  services: Services,
): Promise<readonly AffectedProject[]> {
  return gather(request, services, async (gathered) => {
    // Git lists the files while the answer is computed.
    const listing = listCommit(gathered.git, gathered.headTree);
    const answers: AffectedProject[] = [];
    for (const task of tasks) {
      const inputs = { ...gathered, taskKind: kindOfTask(task) };
      const decision = await decide(inputs);
      inputs.progress?.phase('Reading workspaces');
      answers.push({
        task,
        affected: resultOf(inputs, decision),
        head: await completeHead(decision, inputs, { request, services, listing }),
        changed: changedFilesByMember(decision.question),
        tasksAtBase: hasSameTasks(inputs) ? 'same' : 'unknown',
      });
    }
    return answers;
  });
}

/** True only if git compared the merge base with the planned commit. */
function hasSameTasks({ all, files, filesAre, head, headTree }: AffectedInputs): boolean {
  return all === undefined && filesAre !== 'listed' && headTree === head && !mayChangeTasks(files);
}
