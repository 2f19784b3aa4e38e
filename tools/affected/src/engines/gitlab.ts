import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange } from './ci-change.js';
import type { CiEngine } from './engine.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';
import { branchBase, branchIn, commitIn, numberIn, readText, unknownBase, type Variables } from './variables.js';

/** GitLab CI/CD. Its templates are in `ci/gitlab`, its guide is `docs/guides/tests-on-gitlab.md`. */
export const gitlab: CiEngine = {
  name: 'gitlab',
  detect: (variables) => readText(variables, 'GITLAB_CI') !== undefined,
  readChange,
  // GitLab does not count.
  attempt: () => undefined,
  pipeline: {
    owns: (path) => /^(?:\.gitlab-ci\.yml|\.gitlab\/.+\.ya?ml)$/.test(path),
    runs: 'all',
    // CI_CONFIG_PATH may also be an address, or name a file of another project.
    begins: (variables) => readText(variables, 'CI_CONFIG_PATH') ?? '.gitlab-ci.yml',
  },
  emit,
};

/**
 * GitLab CI/CD. Source: docs.gitlab.com/ci/variables/predefined_variables, "CI_PIPELINE_SOURCE" in ci/jobs/job_rules.
 */
function readChange(variables: Variables): CiChange {
  const isMergeRequest = readText(variables, 'CI_MERGE_REQUEST_IID') !== undefined;
  const isExternal = readText(variables, 'CI_EXTERNAL_PULL_REQUEST_IID') !== undefined;
  const change = isMergeRequest ? mergeRequest(variables) : isExternal ? externalPullRequest(variables) : branchPipeline(variables);
  return { ...change, head: commitIn(readText(variables, 'CI_COMMIT_SHA')), repository: null };
}

type PipelineChange = Pick<CiChange, 'event' | 'base' | 'pullRequest'>;

function mergeRequest(variables: Variables): PipelineChange {
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
  return commitBase(variables, 'CI_MERGE_REQUEST_DIFF_BASE_SHA') ?? unknownBase('CI_MERGE_REQUEST_DIFF_BASE_SHA is not a commit');
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
function externalPullRequest(variables: Variables): PipelineChange {
  const source = 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME';
  const pullRequest = numberIn(readText(variables, 'CI_EXTERNAL_PULL_REQUEST_IID'));
  return { event: 'pull request', base: branchBase(readText(variables, source), source), pullRequest };
}

/** Sources of a pipeline in which CI_COMMIT_BEFORE_SHA means the push; a child pipeline has that of its parent. */
const PUSHES = ['push', 'parent_pipeline'];

function branchPipeline(variables: Variables): PipelineChange {
  const isPush = PUSHES.includes(readText(variables, 'CI_PIPELINE_SOURCE') ?? '');
  const base = isPush ? pushBase(variables) : unknownBase('the pipeline was not started by a push or a merge request (CI_PIPELINE_SOURCE)');
  return { event: isPush ? 'push' : 'other', base, pullRequest: null };
}

/**
 * On the default branch what was there before; on another one, all that it has of its own: its last push may have failed, and its tests
 * must stay selected. CI_COMMIT_BEFORE_SHA is zero for the first push, when run by hand, and in every merge request pipeline.
 */
function pushBase(variables: Variables): CiBase {
  if (readText(variables, 'CI_COMMIT_TAG') !== undefined)
    return unknownBase('a tag was pushed, which has no earlier commit to compare with');
  const branch = branchIn(readText(variables, 'CI_COMMIT_BRANCH'));
  if (branch === null) return unknownBase('CI_COMMIT_BRANCH is not a branch name');
  const main = branchIn(readText(variables, 'CI_DEFAULT_BRANCH'));
  if (main !== null && main !== branch) return { kind: 'branch', name: main, source: 'CI_DEFAULT_BRANCH' };
  const before = commitIn(readText(variables, 'CI_COMMIT_BEFORE_SHA'));
  return { kind: 'push', branch, before, forced: 'unknown', source: 'CI_COMMIT_BEFORE_SHA', workflow: null };
}

/** A job may have so many permutations: docs.gitlab.com/ci/yaml, "parallel:matrix". */
const MOST_LEGS = 200;

/**
 * The child pipeline that `ci/gitlab` starts, as YAML: the legs of `shard`, the longest first, and then `gate`, which runs however they end.
 * Without work it has `gate` alone. It holds ids and nothing else of the plan, which each job takes from the job `plan` of the parent. Image,
 * installation and caches come from `.affected`, `.affected-shard` and `.affected-gate`, which the trigger includes beside this; what
 * the proof depends on stands here, and wins. Source: docs.gitlab.com/ci/yaml, "parallel:matrix", "needs:pipeline:job", "trigger:include".
 */
function emit({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS);
  return legs.length === 0 ? `${HEAD}${gateJob(TAKE_PLAN)}` : `${HEAD}${FETCH_JOB}${shardJob(legs)}${gateJob('')}`;
}

/** Every job has a rule: in the pipeline of a merge request one without any would be left out, since it is for branches and tags. */
const HEAD = `# Written by affected. Of the plan it holds the ids of shards, and nothing else.
workflow:
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      auto_cancel:
        on_new_commit: none
    - when: always
stages: [shards, gate]
`;

const TAKE_PLAN = `  needs:
    - pipeline: $PARENT_PIPELINE_ID
      job: plan
`;

/**
 * A job with `needs` begins when these are done, whatever its stage. So the gate has none, and no more than 50 jobs could stand there: its
 * stage waits for all legs, and it takes what the jobs before it left. This one leaves the plan there.
 */
const FETCH_JOB = `
fetch-plan:
  extends: .affected
  stage: shards
  rules:
    - when: on_success
${TAKE_PLAN}  variables:
    GIT_STRATEGY: none
  script:
    - test -s .tributary/plan.json
  artifacts:
    paths: [.tributary/plan.json]
`;

/** The command of the team; without one the package in the repository, in a folder that is gone when the script ends. */
const START = `    - |
      if [ -z "$AFFECTED" ]; then
        tool=$(mktemp -d)
        trap 'rm -rf "$tool"' EXIT
        tar -xzf ci/affected.tgz -C "$tool"
        AFFECTED="node $tool/package/out/cli.cjs"
      fi
`;

/** A folder for each leg: what one leg leaves cannot take the place of what another has left. Ids are quoted, for YAML takes `01` for a number. */
function shardJob(legs: readonly Leg[]): string {
  return `
shard:
  extends: .affected-shard
  stage: shards
  rules:
    - when: on_success
  allow_failure: false
${TAKE_PLAN}  parallel:
    matrix:
${legs.map(({ id }) => `      - LEG: "${id}"\n`).join('')}  script:
${START}${chooseShards(legs)}    - $AFFECTED run-shard $SHARDS --plan .tributary/plan.json --receipts ".tributary/receipts/$LEG"
  artifacts:
    when: always
    paths: [".tributary/receipts/$LEG"]
`;
}

/** GitLab names a job after the values of its matrix, so the ids of a long leg are no value. */
function chooseShards(legs: readonly Leg[]): string {
  const long = legs.filter(({ shards }) => shards.length > 1).map((leg) => `        ${leg.id}) SHARDS='${shardIds(leg)}' ;;\n`);
  return long.length === 0
    ? '    - SHARDS=$LEG\n'
    : `    - |\n      case "$LEG" in\n${long.join('')}        *) SHARDS=$LEG ;;\n      esac\n`;
}

/**
 * What the collected times are good for is no reason to fail. They are kept by protected branches alone: `.affected-gate` has a variable as
 * the policy of its cache. Source: docs.gitlab.com/ci/yaml, "cache:policy".
 */
function gateJob(needs: string): string {
  return `
gate:
  extends: .affected-gate
  stage: gate
  rules:
    - if: $CI_COMMIT_REF_PROTECTED == "true"
      when: always
      variables:
        AFFECTED_TIMINGS_POLICY: pull-push
    - when: always
  allow_failure: false
${needs}  script:
    - mkdir -p .tributary/receipts
${START}    - $AFFECTED gate --plan .tributary/plan.json --receipts .tributary/receipts --summary .tributary/gate.md --junit .tributary/junit.xml
    - $AFFECTED timings collect --plan .tributary/plan.json --receipts .tributary/receipts --into .tributary/timings.json || true
  artifacts:
    when: always
    paths: [.tributary/gate.md, .tributary/junit.xml, .tributary/receipts]
    reports:
      junit: .tributary/junit.xml
`;
}
