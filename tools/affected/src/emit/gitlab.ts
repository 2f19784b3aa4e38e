import type { Plan } from '../plan/plan.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';

/** A job may have so many permutations: docs.gitlab.com/ci/yaml, "parallel:matrix". */
const MOST_LEGS = 200;

/**
 * The child pipeline that `ci/gitlab` starts, as YAML: the legs of `shard`, the longest first, and then `gate`, which runs however they end.
 * Without work it has `gate` alone. It holds ids and nothing else of the plan, which each job takes from the job `plan` of the parent. Image,
 * installation and caches come from `.affected`, `.affected-shard` and `.affected-gate`, which the trigger includes beside this; what
 * the proof depends on stands here, and wins. Source: docs.gitlab.com/ci/yaml, "parallel:matrix", "needs:pipeline:job", "trigger:include".
 */
export function emitGitlab({ shards }: Plan): string {
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
${chooseShards(legs)}    - $AFFECTED run-shard $SHARDS --plan .tributary/plan.json --receipts ".tributary/receipts/$LEG"
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
    - $AFFECTED gate --plan .tributary/plan.json --receipts .tributary/receipts --summary .tributary/gate.md
    - $AFFECTED timings collect --plan .tributary/plan.json --receipts .tributary/receipts --into .tributary/timings.json || true
  artifacts:
    when: always
    paths: [.tributary/gate.md, .tributary/receipts]
`;
}
