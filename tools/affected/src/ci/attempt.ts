import { readText, type Variables } from './variables.js';

/**
 * How often this job has been run for the same plan, from 1. AFFECTED_ATTEMPT, then what the engines say: GitHub counts attempts of the
 * run from 1, Buildkite retries of the job from 0, Azure attempts of the job from 1. GitLab, CircleCI and Jenkins do not count: 1.
 */
export function readAttempt(variables: Variables): number {
  const [own, github, azure] = ['AFFECTED_ATTEMPT', 'GITHUB_RUN_ATTEMPT', 'SYSTEM_JOBATTEMPT'].map((name) => attemptIn(variables, name));
  const retries = numberOf(readText(variables, 'BUILDKITE_RETRY_COUNT'));
  return own ?? github ?? (retries === undefined ? undefined : retries + 1) ?? azure ?? 1;
}

/** There is no attempt 0. */
function attemptIn(variables: Variables, name: string): number | undefined {
  return numberOf(readText(variables, name)) || undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
