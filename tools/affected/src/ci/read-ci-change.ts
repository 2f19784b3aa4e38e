import { readAzureChange } from './azure.js';
import { readBuildkiteChange } from './buildkite.js';
import type { CiChange } from './ci-change.js';
import { readCircleChange } from './circleci.js';
import { readGitHubChange } from './github.js';
import { readGitLabChange } from './gitlab.js';
import { readJenkinsChange } from './jenkins.js';
import { readText, type Variables } from './variables.js';

/**
 * What the CI engine that runs us says about the change; `undefined` if none does. `readEvent` is called at most once, with the path of the
 * event's file, and may throw. Never throws: what is missing, broken or hostile makes the base `unknown`, with its reason.
 */
export function readCiChange(variables: Variables, readEvent: (path: string) => string): CiChange | undefined {
  if (readText(variables, 'GITHUB_ACTIONS') === 'true') return readGitHubChange(variables, readEvent);
  if (readText(variables, 'GITLAB_CI') !== undefined) return readGitLabChange(variables);
  if (readText(variables, 'BUILDKITE') === 'true') return readBuildkiteChange(variables);
  if (readText(variables, 'CIRCLECI') === 'true') return readCircleChange(variables);
  // `True`, as .NET writes it.
  if (/^true$/i.test(readText(variables, 'TF_BUILD') ?? '')) return readAzureChange(variables);
  // Last: an agent of another engine may have been started where Jenkins' variables were set.
  if (readText(variables, 'JENKINS_URL') !== undefined || readText(variables, 'BUILD_TAG')?.startsWith('jenkins-') === true)
    return readJenkinsChange(variables);
  return undefined;
}
