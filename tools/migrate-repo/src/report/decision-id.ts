import { createHash } from 'node:crypto';

/**
 * What a decision is called in tributary.json: eight digits that follow from its kind and from what it is about. Who has answered it has answered nothing else: of
 * something else it is asked anew.
 */
export function decisionId(kind: string, about: string): string {
  return createHash('sha256').update(`${kind}\n${about}`).digest('hex').slice(0, 8);
}
