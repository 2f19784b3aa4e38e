import type { RemoteRef } from '@tributary/git/parse';
import { ToolError } from '@tributary/model/errors';
import { branchRef, parseRefName, type RefName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { SourceRequest } from './facts.js';

/** Returns the ref of a source to import, and its number of tags. Throws `SOURCE_EMPTY`, `SOURCE_BRANCH_MISSING`, `USAGE`. */
export function chooseRefs(request: SourceRequest, announced: readonly RemoteRef[]): { ref: RefName | 'HEAD'; tags: number } {
  if (announced.length === 0) {
    throw new ToolError({
      code: 'SOURCE_EMPTY',
      message: `${request.url} has no commits.`,
      hint: 'Check the address: an empty repository cannot be migrated.',
    });
  }
  const tags = announced.filter((entry) => entry.ref.startsWith('refs/tags/')).length;
  return { ref: request.branch === undefined ? defaultRef(request, announced) : namedBranch(request.branch, request, announced), tags };
}

/** Returns the branch of the source's HEAD, whatever its name; `HEAD` if it is detached. */
function defaultRef(request: SourceRequest, announced: readonly RemoteRef[]): RefName | 'HEAD' {
  const head = announced.find((entry) => entry.ref === 'HEAD');
  if (head === undefined) throw branchMissing(`${request.url} cannot be migrated: its HEAD refers to a missing branch.`, announced);
  return head.target === undefined ? 'HEAD' : parseRefName(head.target);
}

function namedBranch(branch: string, request: SourceRequest, announced: readonly RemoteRef[]): RefName {
  const ref = branchRef(branch);
  if (announced.some((entry) => entry.ref === ref)) return ref;
  throw branchMissing(`${request.url} cannot be migrated: it has no branch ${branch}.`, announced);
}

function branchMissing(message: string, announced: readonly RemoteRef[]): ToolError {
  const branches = announced.filter((entry) => entry.ref.startsWith('refs/heads/')).map((entry) => entry.ref.slice('refs/heads/'.length));
  return new ToolError({
    code: 'SOURCE_BRANCH_MISSING',
    message,
    hint:
      branches.length === 0
        ? 'It has no branches.'
        : `Choose one with --source-branch: ${branches.slice(0, 8).join(', ')}${branches.length > 8 ? ', …' : ''}.`,
    data: { branches },
  });
}

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
  const wanted = branch ?? record.sourceRef.replace(/^refs\/heads\//, '');
  throw branchMissing(`${source.url} has no branch ${wanted}${branch === undefined ? ', and no default branch' : ''}.`, source.announced);
}

function namedRef(branch: string, announced: readonly RemoteRef[]): RefOfSource | undefined {
  const ref = branchRef(branch);
  return announced.some((entry) => entry.ref === ref) ? { ref, state: 'chosen' } : undefined;
}
