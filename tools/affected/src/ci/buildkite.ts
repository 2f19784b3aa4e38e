import type { CiBase, CiChange } from './ci-change.js';
import { BASE_REVISION, configuredBase } from './configured-base.js';
import { branchBase, branchIn, commitIn, numberIn, readText, unknownBase, type Variables } from './variables.js';

/**
 * Buildkite. Source: buildkite.com/docs, "Environment variables", "Using GitHub merge queues". BUILDKITE_COMMIT may be the word `HEAD`, and
 * where the test merge of a pull request is built it is not what is checked out.
 */
export function readBuildkiteChange(variables: Variables): CiChange {
  const pullRequest = numberIn(readText(variables, 'BUILDKITE_PULL_REQUEST'));
  const isMergeRef = readText(variables, 'BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC') === 'true';
  const head = isMergeRef ? null : commitIn(readText(variables, 'BUILDKITE_COMMIT'));
  return { engine: 'Buildkite', ...eventAndBase(variables, pullRequest), head, pullRequest, repository: null };
}

function eventAndBase(variables: Variables, pullRequest: number | null): Pick<CiChange, 'event' | 'base'> {
  const queue = queueBase(variables);
  if (queue !== undefined) return { event: 'merge queue', base: queue };
  if (pullRequest !== null) {
    const source = 'BUILDKITE_PULL_REQUEST_BASE_BRANCH';
    return { event: 'pull request', base: branchBase(readText(variables, source), source) };
  }
  // `ui`, `api`, `schedule` and `trigger_job` build a commit that nobody has just pushed.
  const isPush = readText(variables, 'BUILDKITE_SOURCE') === 'webhook';
  return { event: isPush ? 'push' : 'other', base: pushBase(variables, isPush) };
}

/** As GitHub's `merge_group`: the head of the group before this one, or of the target branch. */
function queueBase(variables: Variables): CiBase | undefined {
  const source = 'BUILDKITE_MERGE_QUEUE_BASE_COMMIT';
  const id = commitIn(readText(variables, source));
  if (id !== null) return { kind: 'commit', id, source };
  const branch = readText(variables, 'BUILDKITE_MERGE_QUEUE_BASE_BRANCH');
  return branch === undefined ? undefined : branchBase(branch, 'BUILDKITE_MERGE_QUEUE_BASE_BRANCH');
}

/** Buildkite does not tell what a branch was before: on the default branch the pipeline must pass it on. */
function pushBase(variables: Variables, isPush: boolean): CiBase {
  if (!isPush) return unknownBase('the build was not started by a push or a pull request (BUILDKITE_SOURCE)');
  if (readText(variables, 'BUILDKITE_TAG') !== undefined) return unknownBase('a tag was pushed, which has nothing before it');
  const branch = branchIn(readText(variables, 'BUILDKITE_BRANCH'));
  if (branch === null) return unknownBase('BUILDKITE_BRANCH holds no name of a branch');
  const configured = configuredBase(variables, branch);
  if (configured !== undefined) return configured;
  const main = branchIn(readText(variables, 'BUILDKITE_PIPELINE_DEFAULT_BRANCH'));
  if (main !== null && main !== branch) return { kind: 'branch', name: main, source: 'BUILDKITE_PIPELINE_DEFAULT_BRANCH' };
  return unknownBase(`Buildkite does not tell what a branch was before a push; a pipeline can pass it on in ${BASE_REVISION}`);
}
