import { parseRevision, type Revision } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import type { AllReason } from '@tributary/model/changeset';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import type { CiBase, CiChange } from '../engines/ci-change.js';
import { readEnvironment, readEventFile } from '../io/environment.js';
import { firstThere, parentsOf } from '../io/history.js';
import { forgeToken, openForge } from '../io/open-forge.js';

/** The auto-detected base. */
export type FoundBase =
  | {
      readonly kind: 'found';
      readonly base: Revision;
      /** The refspecs to fetch if it is not in this clone. */
      readonly refspecs: readonly string[];
      /** The refspecs to fetch if the remote lacks those. */
      readonly otherwise?: readonly string[];
      /** For messages: "the target branch main (GITHUB_BASE_REF)". */
      readonly source: string;
      /** Whether it must be an ancestor of the head, like the commit before a push; otherwise the branch was rewritten. */
      readonly mustBeAncestor: 'yes' | 'no';
    }
  | { readonly kind: 'all'; readonly all: AllReason };

/** Detects the base from the CI engine's variables or, outside CI, from tributary.json or the remote's default branch. */
export async function findBase(git: Git, head: Revision, more: { services: Services; configured: string | undefined }): Promise<FoundBase> {
  const { readCiChange } = await import('../engines/detect.js');
  const change = readCiChange(readEnvironment(), readEventFile);
  if (change !== undefined) return fromCi(git, { change, head, services: more.services });
  if (more.configured !== undefined && /^(HEAD|@)(?![\w/-])/.test(more.configured)) throw movingBase(more.configured);
  const names = more.configured === undefined ? ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'] : [more.configured];
  const base = await firstThere(git, names.map(parseRevision));
  if (base === undefined) return unknown(`none of ${names.join(', ')} is in this clone, so there is nothing to compare with`);
  return {
    kind: 'found',
    base,
    refspecs: [],
    source: more.configured === undefined ? `${base}, auto-detected` : `${base} (tributary.json)`,
    mustBeAncestor: 'no',
  };
}

/** Such a base would hide all but the last commits, and with them a change of the rules. */
function movingBase(base: string): ToolError {
  return new ToolError({
    code: 'CONFIG_INVALID',
    message: `tributary.json: affected.base is "${base}", which moves with the head.`,
    hint: 'Name a branch, such as "origin/main".',
  });
}

interface InCi {
  readonly change: CiChange;
  readonly head: Revision;
  readonly services: Services;
}

async function fromCi(git: Git, ci: InCi): Promise<FoundBase> {
  const { base, event, head } = ci.change;
  // `pull_request_target` checks out the target branch by default, so its HEAD says nothing about the pull request.
  if (event === 'pull request' && base.kind !== 'merge ref' && head !== null && !(await contains(git, ci.head, head)))
    return unknown(`${ci.head} does not contain the pull request's last commit ${head}`);
  switch (base.kind) {
    case 'merge ref': {
      // If the branch itself is checked out, its first parent is another one: the branch's previous commit.
      const [parent, ...others] = (await firstThere(git, [ci.head])) === undefined ? [] : await parentsOf(git, ci.head);
      const isMerge = others.length > 0 && (await git.text(['rev-parse', `${ci.head}^{commit}`])) === base.mergeCommit;
      if (!isMerge || parent === undefined) return branch(base.branch, `the target branch ${base.branch}`);
      return {
        kind: 'found',
        base: parseRevision(parent),
        refspecs: [parent],
        source: "the merge commit's first parent",
        mustBeAncestor: 'no',
      };
    }
    case 'commit':
      return commit(base.id, base.source, 'no');
    case 'branch':
      return branch(base.name, base.source);
    case 'push':
      return fromPush(ci, base);
    case 'unknown':
      return unknown(base.reason);
  }
}

async function contains(git: Git, commit: Revision, other: string): Promise<boolean> {
  return (await git.attempt(['merge-base', '--is-ancestor', other, commit])).exit === 0;
}

type Push = Extract<CiBase, { kind: 'push' }>;

/**
 * Uses the last commit that passed, so that what an earlier run left red counts too. If GitHub is asked and does not name one, the base is
 * unknown: the commit before the push may have broken something.
 */
async function fromPush({ change, services }: InCi, push: Push): Promise<FoundBase> {
  if (push.forced === 'yes') {
    return { kind: 'all', all: { code: 'BASE_REWRITTEN', reason: `${push.branch} was rewritten by a forced push.` } };
  }
  if (change.repository !== null && push.workflow !== null && forgeToken() !== undefined) {
    try {
      const forge = await openForge(change.repository, services.signal);
      const passed = await forge.findLastPassingCommit({ branch: push.branch, workflow: push.workflow });
      if (passed !== undefined) return commit(passed, `the last commit of ${push.branch} that passed`, 'yes');
      return unknown(`no run of ${push.workflow} on ${push.branch} has passed yet`);
    } catch (error) {
      if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
      return unknown(`GitHub does not tell which run passed last: ${error.message.replace(/\.$/, '')}`);
    }
  }
  return push.before === null ? unknown(`there is nothing before this push to ${push.branch}`) : commit(push.before, push.source, 'yes');
}

function commit(id: string, source: string, mustBeAncestor: 'yes' | 'no'): FoundBase {
  return { kind: 'found', base: parseRevision(id), refspecs: [id], source, mustBeAncestor };
}

function branch(name: string, source: string): FoundBase {
  const ref = `refs/remotes/origin/${name}`;
  return { kind: 'found', base: parseRevision(ref), refspecs: [`+refs/heads/${name}:${ref}`], source, mustBeAncestor: 'no' };
}

function unknown(reason: string): FoundBase {
  return { kind: 'all', all: { code: 'BASE_UNKNOWN', reason: `The base is unknown: ${reason}.` } };
}
