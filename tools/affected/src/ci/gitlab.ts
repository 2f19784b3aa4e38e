import type { CiBase, CiChange } from './ci-change.js';
import { branchBase, branchIn, commitIn, numberIn, readText, unknownBase, type Variables } from './variables.js';

/**
 * GitLab CI/CD. Source: docs.gitlab.com/ci/variables/predefined_variables, "CI_PIPELINE_SOURCE" in ci/jobs/job_rules.
 */
export function readGitLabChange(variables: Variables): CiChange {
  const isMergeRequest = readText(variables, 'CI_MERGE_REQUEST_IID') !== undefined;
  const isExternal = readText(variables, 'CI_EXTERNAL_PULL_REQUEST_IID') !== undefined;
  const told = isMergeRequest ? mergeRequest(variables) : isExternal ? externalPullRequest(variables) : branchPipeline(variables);
  return { engine: 'GitLab', ...told, head: commitIn(readText(variables, 'CI_COMMIT_SHA')), repository: null };
}

type Told = Pick<CiChange, 'event' | 'base' | 'pullRequest'>;

function mergeRequest(variables: Variables): Told {
  const isTrain = readText(variables, 'CI_MERGE_REQUEST_EVENT_TYPE') === 'merge_train';
  const pullRequest = numberIn(readText(variables, 'CI_MERGE_REQUEST_IID'));
  return { event: isTrain ? 'merge queue' : 'pull request', base: mergeRequestBase(variables), pullRequest };
}

/**
 * CI_MERGE_REQUEST_TARGET_BRANCH_SHA is there in pipelines for merged results and merge trains: what HEAD was merged, or rebased, onto. A merge
 * commit's first parent would be the same, but a train that fast-forwards has no merge commit. Elsewhere HEAD is the source branch.
 */
function mergeRequestBase(variables: Variables): CiBase {
  const merged = commitBase(variables, 'CI_MERGE_REQUEST_TARGET_BRANCH_SHA');
  if (merged !== undefined) return merged;
  if (isTargetProject(variables)) {
    return branchBase(readText(variables, 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME'), 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME');
  }
  // A fork's own `main` may hold half of the change: the merge base with it would hide that half.
  return commitBase(variables, 'CI_MERGE_REQUEST_DIFF_BASE_SHA') ?? unknownBase('CI_MERGE_REQUEST_DIFF_BASE_SHA is no commit');
}

/**
 * Where the remote is the repository that the merge request goes to. Its branch is preferred to CI_MERGE_REQUEST_DIFF_BASE_SHA, which keeps
 * its value when the target branch is changed (gitlab-org/gitlab#442031).
 */
function isTargetProject(variables: Variables): boolean {
  const id = readText(variables, 'CI_PROJECT_ID');
  return id !== undefined && id === readText(variables, 'CI_MERGE_REQUEST_PROJECT_ID');
}

function commitBase(variables: Variables, source: string): CiBase | undefined {
  const id = commitIn(readText(variables, source));
  return id === null ? undefined : { kind: 'commit', id, source };
}

/** A pull request on GitHub, of a repository that GitLab mirrors; HEAD is its source branch. */
function externalPullRequest(variables: Variables): Told {
  const source = 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME';
  const pullRequest = numberIn(readText(variables, 'CI_EXTERNAL_PULL_REQUEST_IID'));
  return { event: 'pull request', base: branchBase(readText(variables, source), source), pullRequest };
}

/** Sources of a pipeline in which CI_COMMIT_BEFORE_SHA means the push; a child pipeline has that of its parent. */
const PUSHES = ['push', 'parent_pipeline'];

function branchPipeline(variables: Variables): Told {
  const isPush = PUSHES.includes(readText(variables, 'CI_PIPELINE_SOURCE') ?? '');
  const base = isPush ? pushBase(variables) : unknownBase('the pipeline was not started by a push or a merge request (CI_PIPELINE_SOURCE)');
  return { event: isPush ? 'push' : 'other', base, pullRequest: null };
}

/**
 * On the default branch what was there before; on another one, all that it has of its own: its last push may have failed, and its tests
 * must stay selected. CI_COMMIT_BEFORE_SHA is zero for the first push, when run by hand, and in every merge request pipeline.
 */
function pushBase(variables: Variables): CiBase {
  if (readText(variables, 'CI_COMMIT_TAG') !== undefined) return unknownBase('a tag was pushed, which has nothing before it');
  const branch = branchIn(readText(variables, 'CI_COMMIT_BRANCH'));
  if (branch === null) return unknownBase('CI_COMMIT_BRANCH holds no name of a branch');
  const main = branchIn(readText(variables, 'CI_DEFAULT_BRANCH'));
  if (main !== null && main !== branch) return { kind: 'branch', name: main, source: 'CI_DEFAULT_BRANCH' };
  const before = commitIn(readText(variables, 'CI_COMMIT_BEFORE_SHA'));
  return { kind: 'push', branch, before, forced: 'unknown', source: 'CI_COMMIT_BEFORE_SHA', workflow: null };
}
