import type { Services } from '@tributary/terminal/main';
import { type AffectedResult, buildResult } from '../result.js';
import type { AffectedRequest } from './request.js';
import type { Decision, Situation } from './situation.js';
import { decideQuickly, gatherStraight } from './straight.js';

/**
 * Answers the question of the tool. What needs more than two commits and an unchanged graph is loaded when it is needed; the common
 * case must not pay for it. Throws `TARGET_NOT_FOUND`, `REVISION_MISSING`, `CONFIG_INVALID`, `MANIFEST_INVALID`,
 * `WORKSPACE_DUPLICATE_NAME`.
 */
export async function selectAffected(request: AffectedRequest, services: Services): Promise<AffectedResult> {
  const straight = await gatherStraight(request);
  if (straight !== undefined) return decide(straight);
  const { gatherMore } = await import('./gather-more.js');
  return gatherMore(request, services, decide);
}

async function decide(situation: Situation): Promise<AffectedResult> {
  const { answer, warnings = [] } = await decideSituation(situation);
  return buildResult(answer, { ...situation, warnings: [...situation.warnings, ...warnings] });
}

/** Decides on what was gathered: from the lockfile of the head where that is enough, else from both commits. Throws as `decideExactly`. */
export async function decideSituation(situation: Situation): Promise<Decision> {
  const quick = await decideQuickly(situation);
  if (quick !== undefined) return quick;
  const { decideExactly } = await import('./exact.js');
  return decideExactly(situation);
}
