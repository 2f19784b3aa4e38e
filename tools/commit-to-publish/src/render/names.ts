import type { StageTime } from '../model/lead-time.js';

/** Returns the name of a stage; a publication of the consumer is marked as such. */
export function nameOfStage({ stage, whose }: Pick<StageTime, 'stage' | 'whose'>): string {
  return whose === 'consumer' && stage.startsWith('publish') ? `${stage} (consumer)` : stage;
}

/** Shortens the id of a commit to ten digits; other names stay whole. */
function shortName(change: string): string {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(change) ? change.slice(0, 10) : change;
}

/**
 * Returns `#12 Fix it`: the number if the URL has one, as that of a pull request has, otherwise the short commit id. Then follows the
 * subject line, if it is known.
 */
export function nameOfChange(
  { change, url }: { readonly change: string; readonly url: string | undefined },
  subjects: ReadonlyMap<string, string>,
): string {
  const number = /\/(?:pull|pulls|merge_requests)\/(\d+)$/.exec(url ?? '')?.[1];
  // A squash commit repeats the number at the end of its subject.
  const subject = subjects.get(change)?.replace(number === undefined ? /$^/ : new RegExp(` \\(#${number}\\)$`), '');
  return `${number === undefined ? shortName(change) : `#${number}`}${subject === undefined ? '' : ` ${subject}`}`;
}
