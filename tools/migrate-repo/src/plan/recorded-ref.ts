import type { RemoteRef } from '@tributary/git/parse';
import { branchRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { RepoUrl } from '@tributary/model/repo-url';
import { branchMissing } from './source-ref.js';

/** The ref of a source for an import. */
export interface RefOfSource {
  readonly ref: string;
  /**
   * `recorded`: the one in the record; `renamed`: that one no longer exists, and this is the default branch; `chosen`:
   * the user named it.
   */
  readonly state: 'recorded' | 'renamed' | 'chosen';
}

/** Returns the recorded ref, else the default branch; `undefined` if the source has neither. */
export function recordedRef({ sourceRef }: Pick<ImportRecord, 'sourceRef'>, announced: readonly RemoteRef[]): RefOfSource | undefined {
  if (announced.some(({ ref }) => ref === sourceRef)) return { ref: sourceRef, state: 'recorded' };
  const head = announced.find(({ ref }) => ref === 'HEAD');
  return head === undefined ? undefined : { ref: head.target ?? 'HEAD', state: 'renamed' };
}

/** Returns the branch that the user named, else as `recordedRef`. Throws `SOURCE_BRANCH_MISSING`, `USAGE`. */
export function refToFetch(
  record: Pick<ImportRecord, 'sourceRef'>,
  source: { readonly url: RepoUrl; readonly announced: readonly RemoteRef[] },
  branch: string | undefined,
): RefOfSource {
  const found = branch === undefined ? recordedRef(record, source.announced) : namedRef(branch, source.announced);
  if (found !== undefined) return found;
  const missing = branch ?? record.sourceRef.replace(/^refs\/heads\//, '');
  throw branchMissing(`${source.url} has no branch ${missing}${branch === undefined ? ', and no default branch' : ''}.`, source.announced);
}

function namedRef(branch: string, announced: readonly RemoteRef[]): RefOfSource | undefined {
  const ref = branchRef(branch);
  return announced.some((entry) => entry.ref === ref) ? { ref, state: 'chosen' } : undefined;
}
