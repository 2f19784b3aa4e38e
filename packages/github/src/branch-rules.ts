import { isToolError } from '@tributary/model/errors';
import type { BranchRules } from '@tributary/model/pull-request-host';
import { AnswerFields } from './answer-fields.js';
import { askPatiently } from './ask-patiently.js';
import type { GitHub, RepositoryName } from './client.js';
import type { Question } from './failure.js';
import { readListPages, repoPath } from './rest-list.js';

/**
 * Whether the rules of a branch let a merge commit in: rulesets, its merge queue, and its protection, which only administrators may see. Throws as `GitHub.call`. Source:
 * docs.github.com/rest/repos/rules#get-rules-for-a-branch, docs.github.com/rest/branches/branch-protection#get-branch-protection.
 */
export async function readBranchRules(github: GitHub, repository: RepositoryName, branch: string): Promise<BranchRules> {
  const question: Question = { what: `the rules of ${branch} in ${repository.owner}/${repository.repo}`, permission: 'metadata: read' };
  const ask = { github, question, path: `${repoPath(repository)}/branches/${encodeURIComponent(branch)}` };
  const inRulesets = await readRulesets(github, question, `${repoPath(repository)}/rules/branches/${encodeURIComponent(branch)}`);
  if (inRulesets?.mergeCommits === 'refused') return inRulesets;
  const inProtection = await readProtection(ask);
  return inProtection.mergeCommits === 'allowed' ? (inRulesets ?? UNKNOWN) : inProtection;
}

const UNKNOWN: BranchRules = { mergeCommits: 'unknown' };
const ALLOWED: BranchRules = { mergeCommits: 'allowed' };

/** `undefined`: the server does not know rulesets. */
async function readRulesets(github: GitHub, question: Question, path: string): Promise<BranchRules | undefined> {
  try {
    for await (const { entries } of readListPages(github, question, { path: `${path}?per_page=100` }))
      for (const rule of entries) {
        const why = refusalIn(rule);
        if (why !== undefined) return { mergeCommits: 'refused', why };
      }
    return ALLOWED;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function refusalIn(rule: AnswerFields): string | undefined {
  const type = rule.text('type');
  const parameters = rule.maybeOf('parameters');
  if (type === 'required_linear_history') return 'a ruleset demands a linear history';
  if (type === 'merge_queue' && parameters?.has('merge_method') === true && parameters.text('merge_method') !== 'MERGE')
    return `its merge queue merges with "${parameters.text('merge_method').toLowerCase()}"`;
  const methods = type === 'pull_request' ? parameters?.maybeTexts('allowed_merge_methods') : undefined;
  return methods === undefined || methods.includes('merge') ? undefined : `a ruleset allows ${methods.join(' and ')} alone`;
}

interface Asked {
  readonly github: GitHub;
  readonly question: Question;
  readonly path: string;
}

async function readProtection(asked: Asked): Promise<BranchRules> {
  if (!(await read(asked)).isTrue('protected')) return ALLOWED;
  try {
    const linear = (await read({ ...asked, path: `${asked.path}/protection` })).maybeOf('required_linear_history');
    return linear?.has('enabled') === true && linear.isTrue('enabled')
      ? { mergeCommits: 'refused', why: 'its protection demands a linear history' }
      : ALLOWED;
  } catch (error) {
    if (statusOf(error) !== 404 && statusOf(error) !== 403) throw error;
    // "Branch not protected": rulesets protect it alone.
    return isToolError(error) && /not protected/i.test(error.message) ? ALLOWED : UNKNOWN;
  }
}

async function read({ github, question, path }: Asked): Promise<AnswerFields> {
  const ask = () => github.call(question, (octokit) => octokit.request({ method: 'GET', url: path }));
  return new AnswerFields((await askPatiently(github, question, ask)).data, question);
}

/** A limit that is used up says nothing about the branch. */
function statusOf(error: unknown): unknown {
  return isToolError(error) && error.data['pauseSeconds'] === undefined ? error.data['status'] : undefined;
}
