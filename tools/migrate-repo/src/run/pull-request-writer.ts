import { isToolError } from '@tributary/model/errors';
import { type ObjectId, shortRef } from '@tributary/model/ids';
import type { PullRequest, PullRequestHost, PullRequestText } from '@tributary/model/pull-request-host';
import type { OwnRemote } from '../io/own-remote.js';
import { COMMENT_MARKER, tellContinuation } from '../plan/pull-request-text.js';
import { isUntouched, readMarker, renewMarker } from '../plan/text-marker.js';
import type { PullRequestResult } from '../result/pull-requests-result.js';
import type { PlannedPullRequest } from './pull-request-plan.js';
import { openRequest, pushWanted, updateText, WriteCalls } from './write-calls.js';

/** Where pull requests are written. */
export interface WritingRequests {
  readonly name: string;
  readonly extent: 'all' | 'plan only';
  readonly comment: 'write' | 'none';
  readonly remote: OwnRemote;
  /** The branches of the remote at the start of the command, by full name. */
  readonly branches: ReadonlyMap<string, ObjectId>;
  readonly source: PullRequestHost;
  readonly target: PullRequestHost;
  /** The names of the target's labels. */
  readonly labels: readonly string[];
  readonly retell: (planned: PlannedPullRequest) => PullRequestText;
  /** Whether one commit is reachable from another. */
  readonly reaches: (from: ObjectId, wanted: ObjectId) => Promise<boolean>;
}

type Written = Pick<PullRequestResult, 'state' | 'target' | 'calls' | 'notes' | 'failure'>;

/**
 * Pushes and opens one pull request, or updates it. A failure is reported in the result, with the calls before it.
 * Throws `INTERRUPTED`.
 */
export async function writeRequest(writing: WritingRequests, planned: PlannedPullRequest): Promise<Written> {
  const writer = new RequestWriter(writing, planned);
  try {
    return { ...(await writer.write()), ...writer.told(), failure: null };
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    const { code, message, hint = null } = error;
    return { state: 'failed', target: writer.target, ...writer.told(), failure: { code, message, hint } };
  }
}

class RequestWriter {
  target: PullRequestResult['target'] = null;
  private readonly calls: WriteCalls;
  private readonly notes: string[];
  private readonly writing: WritingRequests;
  private readonly planned: PlannedPullRequest;

  constructor(writing: WritingRequests, planned: PlannedPullRequest) {
    this.writing = writing;
    this.planned = planned;
    this.calls = new WriteCalls(writing.extent);
    this.notes = [...planned.notes];
  }

  told(): Pick<Written, 'calls' | 'notes'> {
    return { calls: this.calls.noted, notes: this.notes };
  }

  async write(): Promise<Pick<Written, 'state' | 'target'>> {
    const { planned, writing } = this;
    const found = await writing.target.listOfBranch(shortRef(planned.branch));
    const open = found.find(({ state }) => state === 'open');
    const ended = found.find((one) => isOf(one, planned.request));
    if (open === undefined && ended !== undefined) return this.leaveClosed(ended);
    if (planned.commits === 0 && open === undefined) return { state: 'contained', target: null };
    const text = writing.retell(planned);
    const pushed = await this.push(open);
    const state = open === undefined ? await this.open(text, pushed) : await this.update(open, text, pushed);
    await this.addLabels(open);
    await this.comment();
    return { state, target: this.target };
  }

  private leaveClosed({ number, url, state }: PullRequest): Pick<Written, 'state' | 'target'> {
    this.notes.push(`It was ${state} in the monorepo, and is not changed.`);
    return { state: 'closed', target: { number, url } };
  }

  /** Pushes the branch. Throws `PULL_REQUEST_BRANCH_MOVED`, `PUSH_REFUSED`. */
  private async push(open: PullRequest | undefined): Promise<'pushed' | 'there'> {
    const { remote, branches, reaches } = this.writing;
    const { branch, tip } = this.planned;
    const known = open === undefined ? undefined : readMarker(open.body, 'first')?.tip;
    const pushed = await pushWanted(this.calls, { branch, tip, expected: branches.get(branch), known }, { remote, reaches });
    if (pushed === 'ahead') this.notes.push('Its branch in the monorepo has other commits, which were kept.');
    return pushed === 'pushed' ? 'pushed' : 'there';
  }

  /** Opens the pull request. Throws as `PullRequestHost.open`. */
  private async open(text: PullRequestText, pushed: 'pushed' | 'there'): Promise<'opened'> {
    const { target, branches, remote } = this.writing;
    const { branch, base, request, tip } = this.planned;
    const created = pushed === 'pushed' && !branches.has(branch) ? { branch, tip } : undefined;
    const asked = { ...text, head: shortRef(branch), base, draft: request.draft };
    const opened = await openRequest(this.calls, asked, { target, remote, created });
    if (opened !== undefined) this.target = { number: opened.number, url: opened.url };
    return 'opened';
  }

  private async update(open: PullRequest, text: PullRequestText, pushed: 'pushed' | 'there'): Promise<'updated' | 'unchanged'> {
    const { target } = this.writing;
    const { request, tip } = this.planned;
    this.target = { number: open.number, url: open.url };
    if (open.draft !== request.draft)
      this.notes.push(`It is ${open.draft ? 'a draft' : 'ready'} only in the monorepo, and was not changed.`);
    const updated = await updateText(this.calls, target, { open, text: this.freshText(open, text, tip) });
    return pushed === 'pushed' ? 'updated' : updated;
  }

  /** Returns the text to write. Text that people wrote in the monorepo stays. */
  private freshText(open: PullRequest, text: PullRequestText, tip: string): PullRequestText {
    if (!isOf(open, this.planned.request)) {
      this.notes.push(`Pull request ${open.number} of this branch was opened by somebody else, so its text was not changed.`);
      return open;
    }
    if (isUntouched(open, 'first')) return text;
    this.notes.push('Its text was edited in the monorepo, so it was not changed.');
    return renewMarker(open, tip, 'first');
  }

  /** Adds the source's labels that the target has, ignoring case. */
  private async addLabels(open: PullRequest | undefined): Promise<void> {
    const { target, labels } = this.writing;
    const known = new Map(labels.map((name) => [name.toLowerCase(), name]));
    const has = new Set((open?.labels ?? []).map((name) => name.toLowerCase()));
    const wanted = this.planned.request.labels.map((name) => ({ name, found: known.get(name.toLowerCase()) }));
    const missing = wanted.filter(({ found }) => found === undefined).map(({ name }) => name);
    if (missing.length > 0) this.notes.push(`Labels that ${target.repository} does not have: ${missing.join(', ')}.`);
    const added = wanted.flatMap(({ found }) => (found === undefined || has.has(found.toLowerCase()) ? [] : [found]));
    if (added.length === 0) return;
    const number = this.target?.number;
    const where = number === undefined ? 'the new pull request' : `pull request ${number}`;
    await this.calls.make({ call: `add labels to ${where} of ${target.repository}`, sent: { labels: added } }, () =>
      target.addLabels(number ?? 0, added),
    );
  }

  private async comment(): Promise<void> {
    const { comment, source, target, name } = this.writing;
    if (comment === 'none') return;
    const { number } = this.planned.request;
    const url = this.target?.url ?? '(the new pull request)';
    const body = tellContinuation(url, { name, repository: target.repository });
    await this.calls.make({ call: `comment on pull request ${number} of ${source.repository}`, sent: { body } }, () =>
      source.writeComment({ pullRequest: number, marker: COMMENT_MARKER, body }),
    );
  }
}

function isOf(one: PullRequest, request: PullRequest): boolean {
  return readMarker(one.body, 'first')?.url === request.url;
}
