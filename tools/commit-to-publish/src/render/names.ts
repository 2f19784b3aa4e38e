import type { StageTime } from '../model/lead-time.js';

/** A stage, with whose publication it is where that is not the package's own. */
export function nameOfStage({ stage, whose }: Pick<StageTime, 'stage' | 'whose'>): string {
  return whose === 'consumer' && stage.startsWith('publish') ? `${stage} (consumer)` : stage;
}

/** A change; of the id of a commit as much as people use. */
export function shortName(change: string): string {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(change) ? change.slice(0, 10) : change;
}
