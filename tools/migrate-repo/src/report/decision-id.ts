import { createHash } from 'node:crypto';
import type { StepId } from '../align/messages.js';

/**
 * What a decision is called in tributary.json: eight digits that follow from its words alone, which are the same for every package. Who has answered them has answered nothing else:
 * other words are asked anew.
 */
export function decisionId(step: StepId, text: string): string {
  return createHash('sha256').update(`${step}\n${text}`).digest('hex').slice(0, 8);
}
