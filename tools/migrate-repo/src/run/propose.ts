import { type Git, plumbing } from '@tributary/git/git';
import { isToolError, type ToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, type ObjectId, parseObjectId, type RefName, shortRef } from '@tributary/model/ids';
import type { PullRequest, PullRequestText } from '@tributary/model/pull-request-host';
import type { Services } from '@tributary/terminal/main';
import { announceBranches, fetchMissing, type OwnRemote, openRemote } from '../io/own-remote.js';
import { readRefs } from '../io/refs.js';
import { withStagingArea } from '../io/staging-area.js';
import { type Proposal, proposalText } from '../plan/proposal-text.js';
import { pushTagsCommand } from '../plan/push-tags.js';
import { isUntouched, readMarker, renewMarker } from '../plan/text-marker.js';
import type { ProposedResult } from '../result/proposed-result.js';
import type { ReadyProposal } from './prepare-proposal.js';
import { objectsOf } from './scratch-branch.js';
import { openRequest, pushWanted, updateText, WriteCalls } from './write-calls.js';

/** A branch to propose. */
export interface ProposedBranch extends Pick<Proposal, 'kind' | 'packages' | 'report'> {
  /** `migrate/left-pad` */
  readonly branch: string;
  /** The tags of each package. */
  readonly tags: readonly (readonly string[])[];
  /** `none`: a plan, whose branch does not exist yet. */
  readonly exists: 'yes' | 'none';
}

/**
 * Pushes a branch, and opens or updates its pull request. A failure is reported in the result, with the calls before
 * it. Throws `INTERRUPTED`.
 */
export async function propose(ready: ReadyProposal, proposed: ProposedBranch, services: Services): Promise<ProposedResult> {
  const progress = services.ui.progress();
  progress.phase('Opening the pull request');
  const proposing = new Proposing(ready, proposed, services);
  try {
    const state = await (proposed.exists === 'none' ? proposing.plan() : proposing.carryOut());
    return proposing.describe(state, undefined);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return proposing.describe('failed', error);
  } finally {
    progress.done();
  }
}

class Proposing {
  private tip: CommitId | undefined;
  private target: ProposedResult['target'] = null;
  private pushTags: string | undefined;
  private readonly calls: WriteCalls;
  private readonly notes: string[];
  private readonly ready: ReadyProposal;
  private readonly proposed: ProposedBranch;
  private readonly services: Services;
  private readonly branch: RefName;

  constructor(ready: ReadyProposal, proposed: ProposedBranch, services: Services) {
    this.ready = ready;
    this.proposed = proposed;
    this.services = services;
    this.branch = branchRef(proposed.branch);
    this.notes = [...ready.notes];
    this.calls = new WriteCalls(ready.request.extent);
  }

  describe(state: ProposedResult['state'], failure: ToolError | undefined): ProposedResult {
    const { host, base, request } = this.ready;
    return {
      repository: host.repository,
      remote: request.remote,
      branch: this.proposed.branch,
      base,
      tip: this.tip ?? null,
      state,
      target: this.target,
      pushTags: this.pushTags ?? null,
      calls: this.calls.noted,
      notes: this.notes,
      failure: failure === undefined ? null : { code: failure.code, message: failure.message, hint: failure.hint ?? null },
    };
  }

  /** Plans the calls. The branch does not exist yet, so its content is not compared with the remote. */
  async plan(): Promise<ProposedResult['state']> {
    const { host, request } = this.ready;
    const [open] = openOf(await host.listOfBranch(this.proposed.branch), this.ready.base);
    const text = await this.textFor(undefined);
    await this.calls.make({ call: `push ${this.proposed.branch} to ${this.proposed.branch} of ${request.remote}`, sent: null }, never);
    return open === undefined ? this.open(text, undefined) : this.update(open, text, 'pushed');
  }

  carryOut(): Promise<ProposedResult['state']> {
    const { repository, url, request } = this.ready;
    return withStagingArea(repository, async (stagingArea) => {
      const objects = [objectsOf(stagingArea.newScratch('remote'))];
      const { signal } = this.services;
      const remote = await openRemote(repository, { name: request.remote, url, objects, signal });
      return this.write(await this.compare(remote, plumbing(repository.gitDir, { signal, alternates: objects })));
    });
  }

  /** Compares the branch with the remote. `view` reads the fetched objects. */
  private async compare(remote: OwnRemote, view: Git): Promise<Writing> {
    const { repository, base } = this.ready;
    const tip = parseObjectId(await repository.git.text(['rev-parse', '--verify', `${this.branch}^{commit}`]));
    this.tip = tip;
    const branches = await announceBranches(remote);
    await fetchMissing(repository.git, remote, { branches, wanted: (ref) => ref === this.branch || ref === branchRef(base) });
    const baseTip = branches.get(branchRef(base));
    const lacks = async (commit: string): Promise<number> =>
      Number(await view.text(['rev-list', '--count', commit, ...(baseTip === undefined ? [] : [`^${baseTip}`])]));
    await this.noteOthers(lacks);
    const reaches = async (from: ObjectId, wanted: ObjectId): Promise<boolean> =>
      (await view.attempt(['merge-base', '--is-ancestor', wanted, from])).exit === 0;
    return { remote, branches, reaches, tip, commits: await lacks(tip) };
  }

  /**
   * Notes commits of HEAD that the remote lacks: they would be pushed too, perhaps unnoticed. `lacks` returns how many
   * commits of a history the base lacks.
   */
  private async noteOthers(lacks: (commit: string) => Promise<number>): Promise<void> {
    const { repository, base, request } = this.ready;
    const shared = await repository.userGit.attempt(['merge-base', 'HEAD', this.branch]);
    const begin = shared.stdout.toString('utf8').trim();
    if (shared.exit !== 0 || begin === this.tip) return;
    const others = await lacks(begin);
    const what = others === 1 ? 'One commit of your branch is' : `${others} commits of your branch are`;
    if (others > 0) this.notes.push(`${what} included that ${base} of ${request.remote} does not have.`);
  }

  private async write({ remote, branches, reaches, tip, commits }: Writing): Promise<ProposedResult['state']> {
    const { host, base } = this.ready;
    const found = await host.listOfBranch(this.proposed.branch);
    const [open] = openOf(found, base);
    const ended = found.find((one) => one.state !== 'open' && readMarker(one.body, 'last')?.tip === tip);
    if (open === undefined && ended !== undefined) return this.leaveClosed(ended);
    const known = open === undefined ? undefined : readMarker(open.body, 'last')?.tip;
    const text = await this.textFor(commits);
    const expected = branches.get(this.branch);
    const pushed = await pushWanted(this.calls, { branch: this.branch, tip, expected, known }, { remote, reaches });
    if (pushed === 'ahead') this.notes.push('Its branch on the remote has additional commits, which were kept.');
    const created = pushed === 'pushed' && expected === undefined ? { branch: this.branch, tip } : undefined;
    return open === undefined ? this.open(text, { remote, created }) : this.update(open, text, pushed);
  }

  private leaveClosed({ number, url, state }: PullRequest): 'closed' {
    this.target = { number, url };
    this.notes.push(`It was ${state}, and is not changed.`);
    return 'closed';
  }

  private async open(text: PullRequestText, where: Opening | undefined): Promise<'opened'> {
    const { host, base } = this.ready;
    const asked = { ...text, head: shortRef(this.branch), base, draft: false };
    const opened =
      where === undefined
        ? await this.calls.make({ call: `open a pull request in ${host.repository}`, sent: asked }, never)
        : await openRequest(this.calls, asked, { target: host, ...where });
    if (opened !== undefined) this.target = { number: opened.number, url: opened.url };
    return 'opened';
  }

  private async update(open: PullRequest, text: PullRequestText, pushed: string): Promise<'updated' | 'unchanged'> {
    this.target = { number: open.number, url: open.url };
    if (open.base !== this.ready.base) this.notes.push(`Its base is ${open.base}, not ${this.ready.base}: you can change it on GitHub.`);
    const updated = await updateText(this.calls, this.ready.host, { open, text: this.freshText(open, text) });
    return pushed === 'pushed' ? 'updated' : updated;
  }

  /** Returns the text to write. Text that people wrote stays. So does a text with a report if this run has none. */
  private freshText(open: PullRequest, text: PullRequestText): PullRequestText {
    const marker = readMarker(open.body, 'last');
    if (marker === undefined) {
      this.notes.push(`Pull request ${open.number} of this branch was opened by somebody else, so its text was not changed.`);
      return open;
    }
    if (!isUntouched(open, 'last')) {
      this.notes.push('Its text was edited, so it was not changed.');
      return this.tip === undefined ? open : renewMarker(open, this.tip, 'last');
    }
    return this.proposed.report === undefined && this.tip !== undefined ? renewMarker(open, this.tip, 'last') : text;
  }

  private async textFor(commits: number | undefined): Promise<PullRequestText> {
    const { repository, request, place } = this.ready;
    const { kind, packages, report, tags } = this.proposed;
    const known = [...(await readRefs(repository.git)).keys()].flatMap((ref) => (ref.startsWith('refs/tags/') ? [ref.slice(10)] : []));
    this.pushTags = pushTagsCommand(request.remote, tags, known);
    return proposalText({ kind, packages, report, commits, pushTags: this.pushTags, owner: place.owner, tip: this.tip });
  }
}

interface Writing {
  readonly remote: OwnRemote;
  readonly branches: ReadonlyMap<string, ObjectId>;
  readonly reaches: (from: ObjectId, wanted: ObjectId) => Promise<boolean>;
  readonly tip: CommitId;
  readonly commits: number;
}

interface Opening {
  readonly remote: OwnRemote;
  readonly created: { readonly branch: RefName; readonly tip: CommitId } | undefined;
}

/** Sorts open pull requests: the one into this base comes first. */
function openOf(found: readonly PullRequest[], base: string): readonly PullRequest[] {
  const open = found.filter(({ state }) => state === 'open');
  return [...open.filter((one) => one.base === base), ...open.filter((one) => one.base !== base)];
}

function never(): Promise<undefined> {
  throw new Error('a plan makes no call');
}
