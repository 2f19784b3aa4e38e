import type { Services } from '@tributary/terminal/main';
import type { AffectedResult } from '../result.js';
import type { AffectedRequest } from './request.js';
import { decide, gatherStraight } from './straight.js';

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
