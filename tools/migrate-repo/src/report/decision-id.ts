import { createHash } from 'node:crypto';

/**
 * Returns the id of a decision in tributary.json: eight digits derived from its kind and its subject. An answer applies
 * only to that subject; another subject gets another id, and is asked again.
 */
export function decisionId(kind: string, about: string): string {
  return createHash('sha256').update(`${kind}\n${about}`).digest('hex').slice(0, 8);
}
