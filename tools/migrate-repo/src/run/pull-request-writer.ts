import { isToolError } from '@tributary/model/errors';
import { type ObjectId, shortRef } from '@tributary/model/ids';
import type { PullRequest, PullRequestHost, PullRequestText } from '@tributary/model/pull-request-host';
import type { OwnRemote } from '../io/own-remote.js';
import { isUntouched, readMarker, renewMarker } from '../plan/text-marker.js';
import type { PullRequestResult } from '../result/pull-requests-result.js';
import type { PlannedPullRequest } from './pull-request-plan.js';
import { openRequest, pushWanted, updateText, WriteCalls } from './write-calls.js';

/** Where pull requests are written. */
export interface WritingRequests {
  readonly extent: 'all' | 'plan only';
  readonly remote: OwnRemote;
  /** The branches of the remote at the start of the command, by full name. */
  readonly branches: ReadonlyMap<string, ObjectId>;
  readonly target: PullRequestHost;
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
}

function isOf(one: PullRequest, request: PullRequest): boolean {
  return readMarker(one.body, 'first')?.url === request.url;
}
