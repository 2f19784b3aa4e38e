import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange } from './ci-change.js';
import type { CiEngine } from './engine.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';
import { branchBase, branchIn, type CiVariables, commitIn, numberIn, previousBase, readText, unknownBase } from './variables.js';

export const gitlab: CiEngine = {
  name: 'gitlab',
  title: 'GitLab CI',
  setup: {
    files: {
      'gitlab/.gitlab-ci.yml': '.gitlab-ci.yml',
      'gitlab/.gitlab/affected-pipeline.yml': '.gitlab/affected-pipeline.yml',
      'gitlab/.gitlab/affected.yml': '.gitlab/affected.yml',
    },
    oneJob: { 'gitlab/one-job.yml': '.gitlab-ci.yml' },
    require: 'In Settings, Merge requests, turn on "Pipelines must succeed".',
    byHand: 'If .gitlab-ci.yml has "stages", add plan and test to them.',
    pullRequest: 'merge request',
    writes: '.yarn/cache',
  },
  detect: (variables) => readText(variables, 'GITLAB_CI') !== undefined,
  readChange,
  // CI_CONFIG_PATH may also be a URL, or a file of another project.
  begins: (variables) => readText(variables, 'CI_CONFIG_PATH') ?? '.gitlab-ci.yml',
  emit,
};

/**
 * Reads the change from the variables of GitLab CI/CD. Source: docs.gitlab.com/ci/variables/predefined_variables, "CI_PIPELINE_SOURCE" in
 * ci/jobs/job_rules.
 */
function readChange(variables: CiVariables): CiChange {
  const isMergeRequest = readText(variables, 'CI_MERGE_REQUEST_IID') !== undefined;
  const isExternal = readText(variables, 'CI_EXTERNAL_PULL_REQUEST_IID') !== undefined;
  const change = isMergeRequest ? mergeRequest(variables) : isExternal ? externalPullRequest(variables) : branchPipeline(variables);
  return { ...change, head: commitIn(readText(variables, 'CI_COMMIT_SHA')), repository: null };
}

type PipelineChange = Pick<CiChange, 'event' | 'base' | 'pullRequest'>;

function mergeRequest(variables: CiVariables): PipelineChange {
  const isTrain = readText(variables, 'CI_MERGE_REQUEST_EVENT_TYPE') === 'merge_train';
  const pullRequest = numberIn(readText(variables, 'CI_MERGE_REQUEST_IID'));
  return { event: isTrain ? 'merge queue' : 'pull request', base: mergeRequestBase(variables), pullRequest };
}

/**
 * Pipelines for merged results and merge trains have CI_MERGE_REQUEST_TARGET_BRANCH_SHA: the commit that HEAD was merged with, or rebased
 * onto. A merge commit's first parent would be the same, but a fast-forward train has no merge commit. In other pipelines, HEAD is the
 * source branch.
 */
function mergeRequestBase(variables: CiVariables): CiBase {
  const merged = commitBase(variables, 'CI_MERGE_REQUEST_TARGET_BRANCH_SHA');
  if (merged !== undefined) return merged;
  if (isTargetProject(variables)) {
    return branchBase(readText(variables, 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME'), 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME');
  }
  // A fork's own `main` may contain half of the change, which the merge base with it would hide.
  return commitBase(variables, 'CI_MERGE_REQUEST_DIFF_BASE_SHA') ?? unknownBase('CI_MERGE_REQUEST_DIFF_BASE_SHA is not a commit');
}

/**
 * Tells whether the remote is the target repository of the merge request. Its branch takes precedence over CI_MERGE_REQUEST_DIFF_BASE_SHA,
 * which does not change with the target branch (gitlab-org/gitlab#442031).
 */
function isTargetProject(variables: CiVariables): boolean {
  const id = readText(variables, 'CI_PROJECT_ID');
  return id !== undefined && id === readText(variables, 'CI_MERGE_REQUEST_PROJECT_ID');
}

function commitBase(variables: CiVariables, source: string): CiBase | undefined {
  const id = commitIn(readText(variables, source));
  return id === null ? undefined : { kind: 'commit', id, source };
}

/** Reads a pull request on GitHub, for a repository that GitLab mirrors. HEAD is its source branch. */
function externalPullRequest(variables: CiVariables): PipelineChange {
  const source = 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME';
  const pullRequest = numberIn(readText(variables, 'CI_EXTERNAL_PULL_REQUEST_IID'));
  return { event: 'pull request', base: branchBase(readText(variables, source), source), pullRequest };
}

/** Pipeline sources in which CI_COMMIT_BEFORE_SHA is the commit before the push; a child pipeline has its parent's. */
const PUSHES = ['push', 'parent_pipeline'];

function branchPipeline(variables: CiVariables): PipelineChange {
  const isPush = PUSHES.includes(readText(variables, 'CI_PIPELINE_SOURCE') ?? '');
  const base = isPush ? pushBase(variables) : unknownBase('the pipeline was not started by a push or a merge request (CI_PIPELINE_SOURCE)');
  return { event: isPush ? 'push' : 'other', base, pullRequest: null };
}

/**
 * On the default branch, the base is the previous commit. On another branch it is the default branch, so that all its changes are selected:
 * its last push may have failed. CI_COMMIT_BEFORE_SHA is zero for the first push, for manual runs, and in every merge request pipeline.
 */
function pushBase(variables: CiVariables): CiBase {
  if (readText(variables, 'CI_COMMIT_TAG') !== undefined)
    return unknownBase('a tag was pushed, which has no earlier commit to compare with');
  const branch = branchIn(readText(variables, 'CI_COMMIT_BRANCH'));
  if (branch === null) return unknownBase('CI_COMMIT_BRANCH is not a branch name');
  const main = branchIn(readText(variables, 'CI_DEFAULT_BRANCH'));
  if (main !== null && main !== branch) return { kind: 'branch', name: main, source: 'CI_DEFAULT_BRANCH' };
  return previousBase(variables, branch, 'CI_COMMIT_BEFORE_SHA');
}

/** GitLab's limit of permutations per job: docs.gitlab.com/ci/yaml, "parallel:matrix". */
const MOST_LEGS = 200;

/**
 * Returns the child pipeline that `ci/gitlab` starts, as YAML.
 * It has the legs of `shard`, the longest first, and then `gate`, which runs even if they fail; without work only `gate`. It contains only
 * ids of the plan, which each job takes from the job `plan` of the parent. Image, installation and caches come from `.affected`,
 * `.affected-shard` and `.affected-gate`, which the trigger includes next to this file. Everything that the proof depends on is here, and
 * takes precedence. Source: docs.gitlab.com/ci/yaml, "parallel:matrix", "needs:pipeline:job", "trigger:include".
 */
function emit({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS);
  if (legs.length === 0) return `${HEAD}${gateJob(TAKE_PLAN)}`;
  return `${HEAD}${FETCH_JOB}${shardJob(legs)}${gateJob('')}`;
}

/** Every job has a rule: without one it would run only for branches and tags, and a merge request pipeline would leave it out. */
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
 * A job with `needs` begins when these jobs end, whatever its stage, and it may have at most 50. So the gate has no `needs`: its stage
 * waits for all legs, and it gets the artifacts of earlier jobs. This job stores the plan as such an artifact.
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

/** The team's command or, without one, the package in the repository, unpacked into a folder that is removed when the script ends. */
const START = `    - |
      if [ -z "$AFFECTED" ]; then
        tool=$(mktemp -d)
        trap 'rm -rf "$tool"' EXIT
        tar -xzf ci/affected.tgz -C "$tool"
        AFFECTED="node $tool/package/out/cli.cjs"
      fi
`;

/** Each leg has its own folder, so that legs cannot replace each other's artifacts. Ids are quoted, because YAML reads `01` as a number. */
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

/** GitLab names a job after its matrix values, so the ids of a long leg are not among them. */
function chooseShards(legs: readonly Leg[]): string {
  const long = legs.filter(({ shards }) => shards.length > 1).map((leg) => `        ${leg.id}) SHARDS='${shardIds(leg)}' ;;\n`);
  return long.length === 0
    ? '    - SHARDS=$LEG\n'
    : `    - |\n      case "$LEG" in\n${long.join('')}        *) SHARDS=$LEG ;;\n      esac\n`;
}

/**
 * Collects timings, which never fail the job. Only protected branches keep them: `.affected-gate` has a variable as its cache policy.
 * Source: docs.gitlab.com/ci/yaml, "cache:policy".
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
