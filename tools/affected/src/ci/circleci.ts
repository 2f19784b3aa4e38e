import type { CiBase, CiChange } from './ci-change.js';
import { BASE_BRANCH, BASE_REVISION, configuredBase } from './configured-base.js';
import { branchIn, commitIn, numberIn, readText, unknownBase, type Variables } from './variables.js';

/**
 * CircleCI tells a job neither the target of a pull request nor what was there before; its configuration knows both as pipeline values
 * and passes them on: `AFFECTED_BASE_BRANCH: << pipeline.event.github.pull_request.base.ref >>` (GitHub App, pull request events) or a name,
 * `AFFECTED_BASE_REVISION: << pipeline.git.base_revision >>` (the previous pipeline of the branch; nothing, or
 * `<nil>`, for its first and from the API).
 * Source: circleci.com/docs/reference/variables, circleci.com/docs/guides/orchestrate/github-trigger-event-options.
 */
export function readCircleChange(variables: Variables): CiChange {
  const pullRequest = pullRequestOf(variables);
  const base = baseOf(variables, pullRequest !== undefined);
  const isForBranch = pullRequest !== undefined || (base.kind === 'branch' && base.source === BASE_BRANCH);
  const event = isForBranch ? 'pull request' : base.kind === 'push' ? 'push' : 'other';
  const head = commitIn(readText(variables, 'CIRCLE_SHA1'));
  return { engine: 'CircleCI', event, base, head, pullRequest: pullRequest ?? null, repository: null };
}

function baseOf(variables: Variables, isPullRequest: boolean): CiBase {
  if (readText(variables, 'CIRCLE_TAG') !== undefined) return unknownBase('a tag was pushed, which has nothing before it');
  const base = configuredBase(variables, branchIn(readText(variables, 'CIRCLE_BRANCH')));
  // The previous pipeline of a pull request may have failed, and its tests must stay selected.
  if (isPullRequest && base?.kind === 'push') return needs(BASE_BRANCH);
  return base ?? needs(isPullRequest ? BASE_BRANCH : `${BASE_BRANCH} or ${BASE_REVISION}`);
}

function needs(names: string): CiBase {
  return unknownBase(`CircleCI does not tell what a change is to be compared with; its configuration can pass it on in ${names}`);
}

/**
 * `undefined`: none. CIRCLE_PULL_REQUEST is an address that ends with the number; CIRCLE_PULL_REQUESTS several of them, with commas;
 * CIRCLE_PR_NUMBER is there for forks only. `null`: there is one, but its number cannot be read.
 */
function pullRequestOf(variables: Variables): number | null | undefined {
  const number = readText(variables, 'CIRCLE_PR_NUMBER');
  if (number !== undefined) return numberIn(number);
  const address = readText(variables, 'CIRCLE_PULL_REQUEST') ?? readText(variables, 'CIRCLE_PULL_REQUESTS');
  return address === undefined ? undefined : numberIn(/\/(\d+)\/?(,|$)/.exec(address)?.[1]);
}
