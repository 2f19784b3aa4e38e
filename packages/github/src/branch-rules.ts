import { isToolError } from '@tributary/model/errors';
import type { BranchRules } from '@tributary/model/pull-request-host';
import { AnswerFields } from './answer-fields.js';
import { askPatiently } from './ask-patiently.js';
import type { GitHub, RepositoryName } from './client.js';
import type { ApiQuestion } from './failure.js';
import { readListPages, repoPath } from './rest-list.js';

/**
 * Returns whether the rules of a branch allow merge commits: rulesets, its merge queue, and its protection, which only administrators may
 * read. Throws like `GitHub.call`. Sources: docs.github.com/rest/repos/rules#get-rules-for-a-branch,
 * docs.github.com/rest/branches/branch-protection#get-branch-protection.
 */
export async function readBranchRules(github: GitHub, repository: RepositoryName, branch: string): Promise<BranchRules> {
  const question: ApiQuestion = { what: `the rules of ${branch} in ${repository.owner}/${repository.repo}`, permission: 'contents: read' };
  const [root, name] = [repoPath(repository), encodeURIComponent(branch)];
  const inRulesets = await orUnseen(() => readRulesets(github, question, `${root}/rules/branches/${name}`));
  if (inRulesets.mergeCommits === 'refused') return inRulesets;
  const inProtection = await orUnseen(() => readProtection({ github, question, path: `${root}/branches/${name}` }));
  return inProtection.mergeCommits === 'allowed' ? inRulesets : inProtection;
}

const ALLOWED: BranchRules = { mergeCommits: 'allowed' };

/** Returns `unknown` if the token may not read the rules, or the server has no such rules. */
async function orUnseen(read: () => Promise<BranchRules>): Promise<BranchRules> {
  try {
    return await read();
  } catch (error) {
    // A used-up rate limit is no information about the branch.
    if (!isToolError(error) || error.data['pauseSeconds'] !== undefined || ![403, 404].includes(error.data['status'] as number))
      throw error;
    return NO_RULES.test(error.message) ? ALLOWED : { mergeCommits: 'unknown' };
  }
}

/** Only rulesets protect the branch, or the owner's plan has no rules for private repositories. */
const NO_RULES = /branch not protected|upgrade to github/i;

async function readRulesets(github: GitHub, question: ApiQuestion, path: string): Promise<BranchRules> {
  for await (const { entries } of readListPages(github, question, { path: `${path}?per_page=100` }))
    for (const rule of entries) {
      const why = refusalIn(rule);
      if (why !== undefined) return { mergeCommits: 'refused', why };
    }
  return ALLOWED;
}

function refusalIn(rule: AnswerFields): string | undefined {
  const type = rule.text('type');
  const parameters = rule.maybeOf('parameters');
  if (type === 'required_linear_history') return 'a ruleset requires a linear history';
  if (type === 'merge_queue' && parameters?.has('merge_method') === true && parameters.text('merge_method') !== 'MERGE')
    return `its merge queue merges with "${parameters.text('merge_method').toLowerCase()}"`;
  const methods = type === 'pull_request' ? parameters?.maybeTexts('allowed_merge_methods') : undefined;
  return methods === undefined || methods.includes('merge') ? undefined : `a ruleset allows only ${methods.join(' and ')}`;
}

interface Asked {
  readonly github: GitHub;
  readonly question: ApiQuestion;
  readonly path: string;
}

async function readProtection(asked: Asked): Promise<BranchRules> {
  if (!(await read(asked)).isTrue('protected')) return ALLOWED;
  const linear = (await read({ ...asked, path: `${asked.path}/protection` })).maybeOf('required_linear_history');
  const isLinear = linear?.has('enabled') === true && linear.isTrue('enabled');
  return isLinear ? { mergeCommits: 'refused', why: 'its protection requires a linear history' } : ALLOWED;
}

async function read({ github, question, path }: Asked): Promise<AnswerFields> {
  const ask = () => github.call(question, (octokit) => octokit.request({ method: 'GET', url: path }));
  return new AnswerFields((await askPatiently(github, question, ask)).data, question);
}
