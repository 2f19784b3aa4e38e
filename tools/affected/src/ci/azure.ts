import type { CiBase, CiChange } from './ci-change.js';
import { BASE_REVISION, configuredBase } from './configured-base.js';
import { branchBase, branchIn, commitIn, numberIn, readText, unknownBase, type Variables } from './variables.js';

/**
 * Azure Pipelines. Source: learn.microsoft.com/azure/devops/pipelines/build/variables. Of a pull request HEAD is the merge
 * `refs/pull/<n>/merge`, in Azure Repos and on GitHub, whose first parent is the target branch. Its number on GitHub is
 * SYSTEM_PULLREQUEST_PULLREQUESTNUMBER; there SYSTEM_PULLREQUEST_PULLREQUESTID is Azure's own.
 */
export function readAzureChange(variables: Variables): CiChange {
  const head = commitIn(readText(variables, 'BUILD_SOURCEVERSION'));
  const number = readText(variables, 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER') ?? readText(variables, 'SYSTEM_PULLREQUEST_PULLREQUESTID');
  return { engine: 'Azure Pipelines', ...eventAndBase(variables, head), head, pullRequest: numberIn(number), repository: null };
}

function eventAndBase(variables: Variables, head: CiChange['head']): Pick<CiChange, 'event' | 'base'> {
  switch (readText(variables, 'BUILD_REASON')) {
    case 'PullRequest':
      return { event: 'pull request', base: pullRequestBase(variables, head) };
    case 'IndividualCI':
    case 'BatchedCI':
      return { event: 'push', base: pushBase(variables) };
    default:
      return { event: 'other', base: unknownBase('the run was not started by a push or a pull request (BUILD_REASON)') };
  }
}

/** `refs/heads/main` in Azure Repos, `main` on GitHub. */
function pullRequestBase(variables: Variables, head: CiChange['head']): CiBase {
  const target = branchBase(readText(variables, 'SYSTEM_PULLREQUEST_TARGETBRANCH'), 'SYSTEM_PULLREQUEST_TARGETBRANCH');
  const isMergeRef = /^refs\/pull\/\d+\/merge$/.test(readText(variables, 'BUILD_SOURCEBRANCH') ?? '');
  return isMergeRef && head !== null && target.kind === 'branch' ? { kind: 'merge ref', mergeCommit: head, branch: target.name } : target;
}

function pushBase(variables: Variables): CiBase {
  const ref = readText(variables, 'BUILD_SOURCEBRANCH') ?? '';
  if (ref.startsWith('refs/tags/')) return unknownBase('a tag was pushed, which has nothing before it');
  const branch = ref.startsWith('refs/heads/') ? branchIn(ref) : null;
  if (branch === null) return unknownBase('BUILD_SOURCEBRANCH holds no name of a branch');
  const reason = `Azure Pipelines does not tell what a branch was before a push; a pipeline can pass it on in ${BASE_REVISION}`;
  return configuredBase(variables, branch) ?? unknownBase(reason);
}
