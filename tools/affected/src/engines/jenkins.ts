import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange } from './ci-change.js';
import { configuredBase } from './configured-base.js';
import type { CiEngine } from './engine.js';
import { groupIntoLegs, shardIds } from './legs.js';
import { branchBase, branchIn, type CiVariables, commitIn, numberIn, previousBase, readText, unknownBase } from './variables.js';

export const jenkins: CiEngine = {
  name: 'jenkins',
  title: 'Jenkins',
  setup: {
    files: { 'jenkins/Jenkinsfile': 'Jenkinsfile' },
    oneJob: { 'jenkins/one-job.Jenkinsfile': 'Jenkinsfile' },
    require: 'Require the build of the pull request.',
  },
  detect: (variables) =>
    readText(variables, 'JENKINS_URL') !== undefined || readText(variables, 'BUILD_TAG')?.startsWith('jenkins-') === true,
  readChange,
  emit,
};

/**
 * Reads the change from the variables of Jenkins with the git plugin. A pull request is merged in the workspace, and its own head is the
 * *first* parent ("Merging … into PR head commit"). So only the merge base with the target branch is safe. Source: `env-vars.html` of an
 * installation; git-plugin, GitSCM/buildEnv.properties.
 */
function readChange(variables: CiVariables): CiChange {
  const isChange = readText(variables, 'CHANGE_ID') !== undefined || readText(variables, 'CHANGE_TARGET') !== undefined;
  const base = isChange ? branchBase(readText(variables, 'CHANGE_TARGET'), 'CHANGE_TARGET') : pushBase(variables);
  return {
    event: isChange ? 'pull request' : base.kind === 'unknown' ? 'other' : 'push',
    base,
    head: commitIn(readText(variables, 'GIT_COMMIT')),
    pullRequest: numberIn(readText(variables, 'CHANGE_ID')),
    repository: null,
  };
}

/**
 * GIT_PREVIOUS_SUCCESSFUL_COMMIT is the last commit of the branch whose build succeeded; "unstable" does not count. GIT_PREVIOUS_COMMIT is
 * the last one built, whether it passed or not. If only the latter is set, nothing has passed yet, so it is never a base.
 */
function pushBase(variables: CiVariables): CiBase {
  if (readText(variables, 'TAG_NAME') !== undefined) return unknownBase('a tag is built, which has no earlier commit to compare with');
  const branch = branchOf(variables);
  if (branch === null) return unknownBase('neither BRANCH_NAME nor GIT_BRANCH is a branch name');
  const source = 'GIT_PREVIOUS_SUCCESSFUL_COMMIT';
  if (commitIn(readText(variables, source)) !== null) return previousBase(variables, branch, source);
  return configuredBase(variables, branch) ?? unknownBase(`no build of this branch has passed yet (${source})`);
}

/** BRANCH_NAME of a multibranch project is the branch; in other projects GIT_BRANCH is `origin/main`. */
function branchOf(variables: CiVariables): string | null {
  const name = readText(variables, 'BRANCH_NAME') ?? readText(variables, 'GIT_LOCAL_BRANCH');
  return branchIn(name ?? readText(variables, 'GIT_BRANCH')?.replace(/^(refs\/remotes\/)?origin\//, ''));
}

/**
 * Jenkins does not compile a Pipeline with a longer list: "List expressions can only contain up to 250 elements" (JENKINS-47363; for a map
 * the limit is 125). The branches of `parallel` have no limit.
 */
const MOST_LEGS = 250;

/**
 * Returns a Groovy file for the step `load`, which returns a list: for each leg the ids of its shards, the longest leg first; empty without
 * work. It is a list and not a map because a list may have twice as many elements. The first id of a leg is its name.
 */
function emit({ shards }: Plan): string {
  const legs = groupIntoLegs(shards, MOST_LEGS).map((leg) => `    '${shardIds(leg)}',\n`);
  return `/* Written by affected: the shards of each machine, the longest first. */\nreturn [${legs.length === 0 ? '' : `\n${legs.join('')}`}]\n`;
}
