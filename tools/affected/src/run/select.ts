import type { Services } from '@tributary/terminal/main';
import { type AffectedResult, buildResult } from '../result.js';
import { type AffectedDecision, decide } from './decide.js';
import { gather } from './gather.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/**
 * Returns the affected workspaces. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`, `MANIFEST_INVALID`,
 * `WORKSPACE_DUPLICATE_NAME`.
 */
export async function selectAffected(request: AffectedRequest, services: Services): Promise<AffectedResult> {
  return gather(request, services, async (inputs) => resultOf(inputs, await decide(inputs)));
}

export function resultOf(inputs: AffectedInputs, { answer, warnings }: AffectedDecision): AffectedResult {
  return buildResult(answer, { ...inputs, warnings: [...inputs.warnings, ...warnings] });
}
