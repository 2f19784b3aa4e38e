import type { Services } from '@tributary/terminal/main';
import { type AffectedResult, buildResult } from '../result.js';
import { type Decision, decide } from './decide.js';
import { gather } from './gather.js';
import { completeHead, type HeadProject } from './head-project.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/**
 * Answers the question of the tool. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`, `MANIFEST_INVALID`,
 * `WORKSPACE_DUPLICATE_NAME`.
 */
export async function selectAffected(request: AffectedRequest, services: Services): Promise<AffectedResult> {
  return gather(request, services, async (inputs) => resultOf(inputs, await decide(inputs)));
}

/** An answer, and the project at the head that it is about. */
export interface AffectedProject {
  readonly affected: AffectedResult;
  readonly head: HeadProject;
}

/** The same with the project at the head. Throws as `selectAffected` and `readHeadProject`. */
export async function selectWithHead(request: AffectedRequest, services: Services): Promise<AffectedProject> {
  return gather(request, services, async (inputs) => {
    const decision = await decide(inputs);
    return { affected: resultOf(inputs, decision), head: await completeHead(decision, inputs, { cwd: request.cwd, services }) };
  });
}

export function resultOf(inputs: AffectedInputs, { answer, warnings }: Decision): AffectedResult {
  return buildResult(answer, { ...inputs, warnings: [...inputs.warnings, ...warnings] });
}
