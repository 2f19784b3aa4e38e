import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange } from './ci-change.js';
import { BASE_BRANCH, BASE_REVISION, configuredBase } from './configured-base.js';
import type { CiEngine } from './engine.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';
import { branchIn, type CiVariables, commitIn, numberIn, readText, unknownBase } from './variables.js';

export const circleci: CiEngine = {
  name: 'circleci',
  title: 'CircleCI',
  setup: {
    files: { 'circleci/config.yml': '.circleci/config.yml' },
    oneJob: { 'circleci/one-job.yml': '.circleci/config.yml' },
    require: 'Require the check "ci/circleci: gate".',
    requireOneJob: 'Require the check "ci/circleci: affected".',
  },
  detect: (variables) => readText(variables, 'CIRCLECI') === 'true',
  readChange,
  emit,
};

/**
 * Reads the change from the variables of CircleCI.
 * It tells a job neither the target of a pull request nor the previous commit. Its configuration knows both as pipeline values and passes
 * them on. `AFFECTED_BASE_BRANCH` is `<< pipeline.event.github.pull_request.base.ref >>` (GitHub App, pull request events), or a name.
 * `AFFECTED_BASE_REVISION` is `<< pipeline.git.base_revision >>`: the previous pipeline of the branch; empty, or `<nil>`, for its first one
 * and from the API.
 * Source: circleci.com/docs/reference/variables, circleci.com/docs/guides/orchestrate/github-trigger-event-options.
 */
function readChange(variables: CiVariables): CiChange {
  const pullRequest = pullRequestOf(variables);
  const base = baseOf(variables, pullRequest !== undefined);
  const isForBranch = pullRequest !== undefined || (base.kind === 'branch' && base.source === BASE_BRANCH);
  const event = isForBranch ? 'pull request' : base.kind === 'push' ? 'push' : 'other';
  const head = commitIn(readText(variables, 'CIRCLE_SHA1'));
  return { event, base, head, pullRequest: pullRequest ?? null, repository: null };
}

function baseOf(variables: CiVariables, isPullRequest: boolean): CiBase {
  if (readText(variables, 'CIRCLE_TAG') !== undefined) return unknownBase('a tag was pushed, which has no earlier commit to compare with');
  const base = configuredBase(variables, branchIn(readText(variables, 'CIRCLE_BRANCH')));
  // The previous pipeline of a pull request may have failed, so its tests must stay selected.
  if (isPullRequest && base?.kind === 'push') return needs(BASE_BRANCH);
  return base ?? needs(isPullRequest ? BASE_BRANCH : `${BASE_BRANCH} or ${BASE_REVISION}`);
}

function needs(names: string): CiBase {
  return unknownBase(`CircleCI does not provide a base; its configuration can set it in ${names}`);
}

/**
 * Returns the number of the pull request; `undefined` if there is none, `null` if its number is unreadable. CIRCLE_PULL_REQUEST is a URL
 * that ends with the number, CIRCLE_PULL_REQUESTS a comma-separated list of them. CIRCLE_PR_NUMBER exists only for forks.
 */
function pullRequestOf(variables: CiVariables): number | null | undefined {
  const number = readText(variables, 'CIRCLE_PR_NUMBER');
  if (number !== undefined) return numberIn(number);
  const address = readText(variables, 'CIRCLE_PULL_REQUEST') ?? readText(variables, 'CIRCLE_PULL_REQUESTS');
  return address === undefined ? undefined : numberIn(/\/(\d+)\/?(,|$)/.exec(address)?.[1]);
}

/**
 * CircleCI documents no limit of jobs, but limits the compiled configuration to 8 MB (4 MB until November 2023 and on older servers). In
 * it, a job with all its steps takes less than 3 kB. Source: support.circleci.com, "Maximum Size of a CircleCI Configuration File".
 */
const MOST_LEGS = 1_000;

/**
 * Returns the configuration with which a setup workflow continues.
 * It has a job for each leg, the longest first, and the gate, which runs even if they fail; without work only the gate. The plan itself comes from the cache of the pipeline, because a workspace ends with its workflow. Settings of
 * a team are pipeline parameters. Source: circleci.com/docs/reference/configuration-reference.
 */
function emit({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS);
  return [PARAMETERS, 'jobs:\n', legs.length === 0 ? '' : SHARD_JOB, gateJob(legs), workflow(legs)].join('');
}

const PARAMETERS = `# Written by affected. Of the plan it holds the ids of shards, and nothing else.
version: 2.1
parameters:
  affected:
    type: string
    default: ''
  image:
    type: string
    default: cimg/node:24.11
  resource-class:
    type: string
    default: medium
  install:
    type: string
    default: sudo corepack enable && yarn install --immutable
  turbo-cache:
    type: string
    default: local:rw,remote:r
`;

/** The team's command or, without one, the package in the repository. Each job has a new container, so nothing is unpacked yet. */
const START = `if [ -z "$AFFECTED" ]; then
              tar -xzf ci/affected.tgz -C ~/affected
              AFFECTED="node $HOME/affected/package/out/cli.cjs"
            fi`;

const TAKE_PLAN = `    steps:
      - checkout
      - restore_cache:
          key: affected-plan-<< pipeline.id >>
`;

/** The attempt is the number of the job minus that of the plan's job: the only value that grows with every re-run. */
const SHARD_JOB = `  shard:
    parameters:
      shards:
        type: string
    docker:
      - image: << pipeline.parameters.image >>
    resource_class: << pipeline.parameters.resource-class >>
    environment:
      AFFECTED: << pipeline.parameters.affected >>
      TURBO_CACHE: << pipeline.parameters.turbo-cache >>
${TAKE_PLAN}      - restore_cache:
          keys:
            - affected-yarn-{{ arch }}-{{ checksum "yarn.lock" }}
            - affected-yarn-{{ arch }}-
      - run:
          name: Install
          command: << pipeline.parameters.install >>
      - save_cache:
          key: affected-yarn-{{ arch }}-{{ checksum "yarn.lock" }}
          paths:
            - ~/.yarn/berry/cache
      # After a step that failed nothing is kept in the workspace. So this one passes, and the last one fails for it.
      - run:
          name: Run the shards << parameters.shards >>
          command: |
            export AFFECTED_ATTEMPT=$((CIRCLE_BUILD_NUM - $(cat ~/affected/plan/job)))
            receipts=~/affected/receipts/$CIRCLE_BUILD_NUM
            mkdir -p "$receipts"
            export TURBO_TOKEN="\${TURBO_TOKEN:-$TURBO_READ_TOKEN}"
            ${START}
            if $AFFECTED run-shard << parameters.shards >> --plan ~/affected/plan/plan.json --receipts "$receipts"; then
              touch ~/affected/passed
            fi
            # What tests wrote into the place of another job.
            find ~/affected/receipts -mindepth 1 -maxdepth 1 ! -name "$CIRCLE_BUILD_NUM" -exec rm -rf {} +
      - persist_to_workspace:
          root: ~/affected
          paths:
            - receipts
      - run:
          name: Fail if they failed
          command: test -e ~/affected/passed
`;

/** Without legs, the gate attaches no workspace, because no job stored one. */
function gateJob({ length }: readonly Leg[]): string {
  return `  gate:
    docker:
      - image: << pipeline.parameters.image >>
    resource_class: small
    environment:
      AFFECTED: << pipeline.parameters.affected >>
${TAKE_PLAN}${length === 0 ? '' : ATTACH}      - run:
          name: Demand proof
          command: |
            mkdir -p ~/affected/receipts
            ${START}
            export AFFECTED_ATTEMPT=$((CIRCLE_BUILD_NUM - $(cat ~/affected/plan/job)))
            $AFFECTED gate --plan ~/affected/plan/plan.json --receipts ~/affected/receipts --summary ~/affected/gate.md \\
              --junit ~/affected/junit.xml
      - store_test_results:
          path: ~/affected/junit.xml
      - store_artifacts:
          path: ~/affected/gate.md
      - store_artifacts:
          path: ~/affected/receipts
`;
}

const ATTACH = `      - attach_workspace:
          at: ~/affected
`;

function workflow(legs: readonly Leg[]): string {
  const shards = legs.map((leg) => `      - shard:\n          name: shard-${leg.id}\n          shards: '${shardIds(leg)}'\n`);
  const waits = legs.map(({ id }) => `            - shard-${id}: terminal\n`).join('');
  // `terminal` means passed, failed, cancelled, not authorised or never run.
  const gate = legs.length === 0 ? '      - gate\n' : `      - gate:\n          requires:\n${waits}`;
  return `workflows:\n  affected:\n    jobs:\n${shards.join('')}${gate}`;
}
