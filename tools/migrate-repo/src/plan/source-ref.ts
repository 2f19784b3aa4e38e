import type { RemoteRef } from '@tributary/git/parse';
import { ToolError } from '@tributary/model/errors';
import { branchRef, parseRefName, type RefName } from '@tributary/model/ids';
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

/** Returns the error for a missing branch, with the branches that the source has. */
export function branchMissing(message: string, announced: readonly RemoteRef[]): ToolError {
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
