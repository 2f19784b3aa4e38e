import type { StageTime } from '../model/lead-time.js';

/** A stage, with whose publication it is where that is not the package's own. */
export function nameOfStage({ stage, whose }: Pick<StageTime, 'stage' | 'whose'>): string {
  return whose === 'consumer' && stage.startsWith('publish') ? `${stage} (consumer)` : stage;
}

/** A change; of the id of a commit as much as people use. */
function shortName(change: string): string {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(change) ? change.slice(0, 10) : change;
}

/** `#12 Fix it`: the number where the address says it, as that of a pull request, else the beginning of the commit; then its subject line, where it is known. */
export function nameOfChange(
  { change, url }: { readonly change: string; readonly url: string | undefined },
  subjects: ReadonlyMap<string, string>,
): string {
  const number = /\/(?:pull|pulls|merge_requests)\/(\d+)$/.exec(url ?? '')?.[1];
  // A squash has the number at the end of its subject too.
  const subject = subjects.get(change)?.replace(number === undefined ? /$^/ : new RegExp(` \\(#${number}\\)$`), '');
  return `${number === undefined ? shortName(change) : `#${number}`}${subject === undefined ? '' : ` ${subject}`}`;
}
