import { isToolError, ToolError } from '@tributary/model/errors';
import { type CommitId, type ObjectId, type RefName, shortRef } from '@tributary/model/ids';
import type { NewPullRequest, PullRequest, PullRequestHost, PullRequestText } from '@tributary/model/pull-request-host';
import { shellWord } from '@tributary/model/shell-word';
import { type OwnRemote, pushBranch } from '../io/own-remote.js';
import type { CallResult } from '../result/pull-requests-result.js';

/** The only route for calls that write to a server. A plan records the call and does not make it. */
export class WriteCalls {
  /** In order. A failed call is the last. */
  readonly noted: CallResult[] = [];
  private readonly extent: 'all' | 'plan only';

  constructor(extent: 'all' | 'plan only') {
    this.extent = extent;
  }

  /** Records and makes a call; returns `undefined` for a plan. Throws as `run`. */
  async make<T>(call: CallResult, run: () => Promise<T>): Promise<T | undefined> {
    this.noted.push(call);
    return this.extent === 'all' ? run() : undefined;
  }
}

/** A branch that must be on the remote. */
export interface WantedBranch {
  readonly branch: RefName;
  readonly tip: CommitId;
  /** Its commit on the remote; `undefined` if the remote has no such branch. */
  readonly expected: ObjectId | undefined;
  /** The commit that an earlier run pushed, according to the pull request. */
  readonly known: string | undefined;
}

/**
 * Pushes a branch unless the remote has it. `ahead`: the remote has it with others' commits on top, which stay. Throws
 * `PULL_REQUEST_BRANCH_MOVED` if the remote has unknown commits, `PUSH_REFUSED`.
 */
export async function pushWanted(
  calls: WriteCalls,
  { branch, tip, expected, known }: WantedBranch,
  { remote, reaches }: { readonly remote: OwnRemote; readonly reaches: (from: ObjectId, wanted: ObjectId) => Promise<boolean> },
): Promise<'pushed' | 'there' | 'ahead'> {
  if (expected === tip) return 'there';
  if (expected !== undefined && (await reaches(expected, tip))) return 'ahead';
  const isOurs = expected === undefined || known === expected;
  if (!isOurs && !(await reaches(tip, expected))) throw branchMoved(remote, branch, expected);
  await calls.make({ call: `push ${tip} to ${shortRef(branch)} of ${remote.name}`, sent: null }, () =>
    pushBranch(remote, { branch, tip, expected }),
  );
  return 'pushed';
}

/**
 * Opens a pull request; returns `undefined` for a plan. `created`: a branch to delete again if the server rejects the
 * request. Throws as `PullRequestHost.open`.
 */
export async function openRequest(
  calls: WriteCalls,
  asked: NewPullRequest,
  {
    target,
    remote,
    created,
  }: { readonly target: PullRequestHost; readonly remote: OwnRemote; readonly created: Pick<WantedBranch, 'branch' | 'tip'> | undefined },
): Promise<PullRequest | undefined> {
  try {
    return await calls.make({ call: `open a pull request in ${target.repository}`, sent: { ...asked } }, () => target.open(asked));
  } catch (error) {
    if (created !== undefined && isToolError(error) && error.code === 'GITHUB_REFUSED') await removeAgain(calls, remote, created, error);
    throw error;
  }
}

/** Deletes the created branch. If the server keeps it, throws why nothing was opened, and what remains. */
async function removeAgain(
  calls: WriteCalls,
  remote: OwnRemote,
  { branch, tip }: Pick<WantedBranch, 'branch' | 'tip'>,
  refusal: ToolError,
): Promise<void> {
  try {
    await calls.make({ call: `remove ${shortRef(branch)} of ${remote.name} again`, sent: null }, () =>
      pushBranch(remote, { branch, tip: undefined, expected: tip }),
    );
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    const { code, message, hint = '', data } = refusal;
    const left = `Its branch remains on ${remote.name}, because it could not be removed: ${error.message}`;
    throw new ToolError({ code, message: `${message}\n${left}`, hint, data: { ...data, branch }, cause: error });
  }
}

/** Updates the text if it differs. Throws as `PullRequestHost.update`. */
export async function updateText(
  calls: WriteCalls,
  target: PullRequestHost,
  { open, text }: { readonly open: PullRequest; readonly text: PullRequestText },
): Promise<'updated' | 'unchanged'> {
  if (isSame(open, text)) return 'unchanged';
  await calls.make({ call: `update pull request ${open.number} of ${target.repository}`, sent: { ...text } }, () =>
    target.update(open.number, text),
  );
  return 'updated';
}

function isSame(one: PullRequestText, other: PullRequestText): boolean {
  return one.title === other.title && one.body.replaceAll('\r\n', '\n').trimEnd() === other.body.replaceAll('\r\n', '\n').trimEnd();
}

function branchMoved(remote: OwnRemote, branch: RefName, holds: ObjectId): ToolError {
  const name = shortRef(branch);
  return new ToolError({
    code: 'PULL_REQUEST_BRANCH_MOVED',
    message: `${name} of ${remote.name} is at ${holds.slice(0, 10)}, which migrate-repo did not push and which is not part of the pull request. It was not changed.`,
    hint: `Review it. If you do not need it: git push ${shellWord(remote.name)} --delete ${shellWord(name)}, then run the command again.`,
    data: { branch, holds },
  });
}
