import type { CiBase, CiChange, CiRepository } from './ci-change.js';
import { type GitHubEvent, parseGitHubEvent } from './github-event.js';
import { branchBase, branchIn, commitIn, numberIn, readText, unknownBase, type Variables } from './variables.js';

/** What is left to say once the engine and the repository are known. */
type Told = Pick<CiChange, 'event' | 'base' | 'head' | 'pullRequest'>;

/**
 * GitHub Actions, on github.com and Enterprise.
 * Source: docs.github.com, "Events that trigger workflows", "Variables reference", "Webhook events and payloads".
 */
export function readGitHubChange(variables: Variables, readEvent: (path: string) => string): CiChange {
  const told = (): Told => {
    const name = readText(variables, 'GITHUB_EVENT_NAME') ?? '';
    // Needs no event file, and is what is asked most.
    if (name === 'pull_request') return pullRequest(variables);
    const teller = tellers.get(name);
    if (teller === undefined) return other(variables, `nothing says what a workflow started by ${printable(name)} is to be compared with`);
    const event = parseGitHubEvent(readText(variables, 'GITHUB_EVENT_PATH'), readEvent);
    return 'failed' in event ? { ...other(variables, event.failed), event: teller.event } : teller.tell(variables, event.field);
  };
  return { engine: 'GitHub Actions', ...told(), repository: repositoryOf(variables) };
}

interface Teller {
  readonly event: CiChange['event'];
  readonly tell: (variables: Variables, field: GitHubEvent) => Told;
}

const tellers: ReadonlyMap<string, Teller> = new Map([
  ['pull_request_target', { event: 'pull request', tell: pullRequestTarget }],
  ['merge_group', { event: 'merge queue', tell: mergeGroup }],
  ['push', { event: 'push', tell: push }],
]);

/**
 * HEAD is a merge of the target branch (first parent) and the pull request, made when the event came. `pull_request.base.sha` of the event is
 * older: it stays what it was when the pull request was opened or last pushed to. Of a pull request that is merged GITHUB_REF is the branch.
 */
function pullRequest(variables: Variables): Told {
  const ref = /^refs\/pull\/(\d+)\/merge$/.exec(readText(variables, 'GITHUB_REF') ?? '');
  const target = branchBase(readText(variables, 'GITHUB_BASE_REF'), 'GITHUB_BASE_REF');
  const head = headOf(variables);
  const isMergeRef = ref !== null && head !== null && target.kind === 'branch';
  const base: CiBase = isMergeRef ? { kind: 'merge ref', mergeCommit: head, branch: target.name } : target;
  return { event: 'pull request', base, head, pullRequest: numberIn(ref?.[1]) };
}

/**
 * This event checks out the default branch (before December 2025, the target branch) and GITHUB_SHA is a commit of it: nothing of the pull
 * request. So the head is the pull request's own, out of the event, to be compared with its target branch. The caller must make sure that
 * HEAD is or contains it; where it does not, what is checked out is not the change, and no small answer is safe.
 */
function pullRequestTarget(_: Variables, field: GitHubEvent): Told {
  const head = commitIn(field('pull_request', 'head', 'sha'));
  const source = 'event.pull_request.base.ref';
  const base =
    head === null ? unknownBase('event.pull_request.head.sha is no commit') : branchBase(field('pull_request', 'base', 'ref'), source);
  return { event: 'pull request', base, head, pullRequest: numberIn(field('pull_request', 'number')) };
}

/** `base_sha`: the head of the group before this one, or of the target branch for the first. A group behind one that fails is made anew. */
function mergeGroup(variables: Variables, field: GitHubEvent): Told {
  const source = 'event.merge_group.base_sha';
  const id = commitIn(field('merge_group', 'base_sha'));
  const base: CiBase = id === null ? unknownBase(`${source} is no commit`) : { kind: 'commit', id, source };
  return { event: 'merge queue', base, head: headOf(variables), pullRequest: null };
}

function push(variables: Variables, field: GitHubEvent): Told {
  return { event: 'push', base: pushBase(variables, field), head: headOf(variables), pullRequest: null };
}

function pushBase(variables: Variables, field: GitHubEvent): CiBase {
  const ref = readText(variables, 'GITHUB_REF') ?? '';
  if (ref.startsWith('refs/tags/')) return unknownBase('a tag was pushed, which has nothing before it');
  const branch = ref.startsWith('refs/heads/') ? branchIn(ref) : null;
  if (branch === null) return unknownBase('GITHUB_REF holds no name of a branch');
  const forced = field('forced');
  return {
    kind: 'push',
    branch,
    before: commitIn(field('before')),
    forced: forced === true ? 'yes' : forced === false ? 'no' : 'unknown',
    source: 'event.before',
    workflow: workflowOf(variables),
  };
}

function other(variables: Variables, reason: string): Told {
  return { event: 'other', base: unknownBase(reason), head: headOf(variables), pullRequest: null };
}

function headOf(variables: Variables): CiChange['head'] {
  return commitIn(readText(variables, 'GITHUB_SHA'));
}

/** The name of an event for a sentence. GitHub's are all like this; another may be anything. */
function printable(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : 'an unknown event';
}

/** GITHUB_WORKFLOW_REF: `acme/app/.github/workflows/ci.yml@refs/heads/main`. A workflow of another repository is not among this one's runs. */
function workflowOf(variables: Variables): string | null {
  const [, repository, file = null] =
    /^([^/@]+\/[^/@]+)\/\.github\/workflows\/([^/@]+\.ya?ml)@/.exec(readText(variables, 'GITHUB_WORKFLOW_REF') ?? '') ?? [];
  return repository === readText(variables, 'GITHUB_REPOSITORY') ? file : null;
}

function repositoryOf(variables: Variables): CiRepository | null {
  const [, owner, repo] = /^(\w[\w.-]*)\/([\w.-]+)$/.exec(readText(variables, 'GITHUB_REPOSITORY') ?? '') ?? [];
  if (owner === undefined || repo === undefined || repo === '.' || repo === '..') return null;
  return { apiUrl: readText(variables, 'GITHUB_API_URL') ?? 'https://api.github.com', owner, repo };
}
