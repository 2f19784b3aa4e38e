import { isPlainObject } from '@tributary/model/plain-object';
import type { Plan } from '../plan/plan.js';
import type { CiBase, CiChange, CiRepository } from './ci-change.js';
import type { CiEngine, ReadEvent } from './engine.js';
import { githubLog } from './github-log.js';
import { groupIntoLegs, shardIds } from './legs.js';
import { attemptIn, branchBase, branchIn, type CiVariables, commitIn, numberIn, readText, unknownBase } from './variables.js';

/** What both forms use, each in its own way. */
const ACTION = { 'github/action.yml': '.github/actions/affected/action.yml' };

export const github: CiEngine = {
  name: 'github',
  title: 'GitHub Actions',
  setup: {
    files: { 'github/workflow.yml': '.github/workflows/affected.yml', ...ACTION },
    oneJob: { 'github/one-job.yml': '.github/workflows/affected.yml', ...ACTION },
    require: 'In Settings, Rules, require the check "gate".',
    requireOneJob: 'In Settings, Rules, require the check "affected".',
  },
  detect: (variables) => readText(variables, 'GITHUB_ACTIONS') === 'true',
  readChange,
  attempt: (variables) => attemptIn(variables, 'GITHUB_RUN_ATTEMPT'),
  runAttempt: (variables) => attemptIn(variables, 'GITHUB_RUN_ATTEMPT'),
  log: githubLog,
  runsOneFile: true,
  begins: (variables) => {
    const file = workflowOf(variables);
    return file === null ? undefined : `.github/workflows/${file}`;
  },
  emit,
};

/** The fields that depend on the event. */
type EventChange = Pick<CiChange, 'event' | 'base' | 'head' | 'pullRequest'>;

/**
 * Reads the change from the variables and the event of GitHub Actions, on github.com and Enterprise. Source: docs.github.com, "Events that
 * trigger workflows", "Variables reference", "Webhook events and payloads".
 */
function readChange(variables: CiVariables, readEvent: ReadEvent): CiChange {
  return { ...readEventChange(variables, readEvent), repository: repositoryOf(variables) };
}

function readEventChange(variables: CiVariables, readEvent: ReadEvent): EventChange {
  const name = readText(variables, 'GITHUB_EVENT_NAME') ?? '';
  // The most frequent event, which needs no event file.
  if (name === 'pull_request') return pullRequest(variables);
  const reader = EVENT_READERS.get(name);
  if (reader === undefined) return other(variables, `a workflow started by ${printable(name)} has no base to compare with`);
  const event = parseGitHubEvent(readText(variables, 'GITHUB_EVENT_PATH'), readEvent);
  return 'failed' in event ? { ...other(variables, event.failed), event: reader.event } : reader.read(variables, event.field);
}

interface EventReader {
  readonly event: CiChange['event'];
  readonly read: (variables: CiVariables, field: GitHubEvent) => EventChange;
}

const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map([
  ['pull_request_target', { event: 'pull request', read: pullRequestTarget }],
  ['merge_group', { event: 'merge queue', read: mergeGroup }],
  ['push', { event: 'push', read: push }],
]);

/**
 * Reads a pull request. HEAD is a merge of the target branch (first parent) and the pull request, made when the event came.
 * `pull_request.base.sha` of the event is older: it dates from when the pull request was opened or last pushed to. Once the pull request is
 * merged, GITHUB_REF is the branch.
 */
function pullRequest(variables: CiVariables): EventChange {
  const ref = /^refs\/pull\/(\d+)\/merge$/.exec(readText(variables, 'GITHUB_REF') ?? '');
  const target = branchBase(readText(variables, 'GITHUB_BASE_REF'), 'GITHUB_BASE_REF');
  const head = headOf(variables);
  const isMergeRef = ref !== null && head !== null && target.kind === 'branch';
  const base: CiBase = isMergeRef ? { kind: 'merge ref', mergeCommit: head, branch: target.name } : target;
  return { event: 'pull request', base, head, pullRequest: numberIn(ref?.[1]) };
}

/**
 * Reads an event that checks out the default branch (before December 2025, the target branch). GITHUB_SHA is a commit of it, without
 * anything of the pull request.
 * So the head is that of the pull request in the event, compared with its target branch. The caller must make sure that HEAD is or contains
 * it. Otherwise the checkout is not the change, and every workspace must be tested.
 */
function pullRequestTarget(_: CiVariables, field: GitHubEvent): EventChange {
  const head = commitIn(field('pull_request', 'head', 'sha'));
  const source = 'event.pull_request.base.ref';
  const base =
    head === null ? unknownBase('event.pull_request.head.sha is not a commit') : branchBase(field('pull_request', 'base', 'ref'), source);
  return { event: 'pull request', base, head, pullRequest: numberIn(field('pull_request', 'number')) };
}

/**
 * Reads a merge queue. `base_sha` is the head of the previous group, or of the target branch for the first. A group behind a failed one is
 * created again.
 */
function mergeGroup(variables: CiVariables, field: GitHubEvent): EventChange {
  const source = 'event.merge_group.base_sha';
  const id = commitIn(field('merge_group', 'base_sha'));
  const base: CiBase = id === null ? unknownBase(`${source} is no commit`) : { kind: 'commit', id, source };
  return { event: 'merge queue', base, head: headOf(variables), pullRequest: null };
}

function push(variables: CiVariables, field: GitHubEvent): EventChange {
  return { event: 'push', base: pushBase(variables, field), head: headOf(variables), pullRequest: null };
}

function pushBase(variables: CiVariables, field: GitHubEvent): CiBase {
  const ref = readText(variables, 'GITHUB_REF') ?? '';
  if (ref.startsWith('refs/tags/')) return unknownBase('a tag was pushed, which has no earlier commit to compare with');
  const branch = ref.startsWith('refs/heads/') ? branchIn(ref) : null;
  if (branch === null) return unknownBase('GITHUB_REF is not a branch name');
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

function other(variables: CiVariables, reason: string): EventChange {
  return { event: 'other', base: unknownBase(reason), head: headOf(variables), pullRequest: null };
}

function headOf(variables: CiVariables): CiChange['head'] {
  return commitIn(readText(variables, 'GITHUB_SHA'));
}

/** Returns the name of an event for a sentence. GitHub's match this pattern; others may be anything. */
function printable(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : 'an unknown event';
}

/**
 * Returns the file of the running workflow. GITHUB_WORKFLOW_REF is `acme/app/.github/workflows/ci.yml@refs/heads/main`. Runs of another
 * repository's workflow are not among this repository's.
 */
function workflowOf(variables: CiVariables): string | null {
  const [, repository, file = null] =
    /^([^/@]+\/[^/@]+)\/\.github\/workflows\/([^/@]+\.ya?ml)@/.exec(readText(variables, 'GITHUB_WORKFLOW_REF') ?? '') ?? [];
  return repository === readText(variables, 'GITHUB_REPOSITORY') ? file : null;
}

function repositoryOf(variables: CiVariables): CiRepository | null {
  const [, owner, repo] = /^(\w[\w.-]*)\/([\w.-]+)$/.exec(readText(variables, 'GITHUB_REPOSITORY') ?? '') ?? [];
  if (owner === undefined || repo === undefined || repo === '.' || repo === '..') return null;
  return { apiUrl: readText(variables, 'GITHUB_API_URL') ?? 'https://api.github.com', owner, repo };
}

/** The webhook event that started a workflow: JSON whose fields are read one by one. */
type GitHubEvent = (...names: readonly string[]) => unknown;

/** The content of an event file, or a sentence why it is unknown. */
type EventReading = { readonly field: GitHubEvent } | { readonly failed: string };

/** `readEvent` may throw anything. The reason repeats neither the file's content nor its path. */
function parseGitHubEvent(path: string | undefined, readEvent: ReadEvent): EventReading {
  if (path === undefined) return { failed: 'GITHUB_EVENT_PATH is not set' };
  let text: string;
  try {
    text = readEvent(path);
  } catch {
    return { failed: 'the file of the event (GITHUB_EVENT_PATH) cannot be read' };
  }
  try {
    const event: unknown = JSON.parse(text);
    if (isPlainObject(event)) return { field: (...names) => names.reduce<unknown>(fieldOf, event) };
  } catch {
    // EventChange below.
  }
  return { failed: 'the file of the event (GITHUB_EVENT_PATH) is not a JSON object' };
}

function fieldOf(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * GitHub rejects a job with a larger matrix: "produced 257 configurations which exceeds the maximum of 256". Source: docs.github.com,
 * "Actions limits"; the limit applies to a job, as NVIDIA/aicr#1171 and MetaMask/core#9149 show.
 */
const MOST_LEGS = 256;

/**
 * Returns the lines for `$GITHUB_OUTPUT`: `has_work=true`, and `matrix={"include":[{"leg":"01","shards":"01 65"}]}` on one line.
 * The longest leg comes first, because GitHub starts them in this order. Without work the list is empty, and jobs must check `has_work`:
 * GitHub fails a run whose matrix is empty. It contains only ids, so five thousand shards stay far below GitHub's limit of 1 MB (UTF-16)
 * for job outputs.
 */
function emit({ shards }: Plan): string {
  const include = groupIntoLegs(shards, MOST_LEGS).map((leg) => ({ leg: leg.id, shards: shardIds(leg) }));
  const lines = { has_work: include.length > 0, matrix: { include } };
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('');
}
