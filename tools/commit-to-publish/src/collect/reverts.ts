import type { CommitId } from '@tributary/model/ids';
import type { MainCommit } from './main-commit.js';

/** By the commit that reverts: the commit that it reverts, both on the main line. */
export type Reverts = ReadonlyMap<CommitId, CommitId>;

/** `Revert "Add it"`, as git and forges write it; `Reapply` is the revert of a revert. */
const REVERTS = /^(?:revert|reapply)\b/i;
/** The branch that GitHub makes for the revert of a pull request. */
const REVERT_BRANCH = /^Merge pull request #\d+ from \S+\/revert-(\d+)-/;

/** Tells whether the whole message is needed to know what a commit reverts. */
export function mayRevert({ subject }: Pick<MainCommit, 'subject'>): boolean {
  return REVERTS.test(subject) || REVERT_BRANCH.test(subject);
}

type Described = Pick<MainCommit, 'id' | 'subject'>;

/**
 * Returns which commits of a main line, oldest first, say that they revert an earlier one: by its id, by the number of its pull request, or
 * by its subject. `messageOf`: for commits that may revert one.
 */
export function revertsOf(commits: readonly Described[], messageOf: (commit: CommitId) => string | undefined): Reverts {
  const byNumber = new Map<string, CommitId>();
  const bySubject = new Map<string, CommitId>();
  const ids = new Set<string>();
  const found = new Map<CommitId, CommitId>();
  for (const commit of commits) {
    const { id, subject } = commit;
    const reverted = mayRevert(commit) ? revertedBy(commit, messageOf(id) ?? '', { ids, byNumber, bySubject }) : undefined;
    if (reverted !== undefined) found.set(id, reverted);
    ids.add(id);
    bySubject.set(withoutNumber(subject), id);
    const number = numberOf(subject);
    if (number !== undefined) byNumber.set(number, id);
  }
  return found;
}

interface KnownCommits {
  readonly ids: ReadonlySet<string>;
  readonly byNumber: ReadonlyMap<string, CommitId>;
  readonly bySubject: ReadonlyMap<string, CommitId>;
}

/** What a message names beside the main line is unknown: it may be a part of what was merged. */
function revertedBy({ subject }: Described, message: string, { ids, byNumber, bySubject }: KnownCommits): CommitId | undefined {
  const named = [...message.matchAll(/This reverts commit ([0-9a-f]{40,64})\b/g)].map(([, id = '']) => id);
  // Several at once are one commit for each, which says nothing of the others.
  if (named.length > 0) return named.length === 1 && ids.has(named[0] ?? '') ? (named[0] as CommitId) : undefined;
  const number = /^Reverts (?:[\w.-]+\/[\w.-]+)?#(\d+)\b/m.exec(message)?.[1] ?? REVERT_BRANCH.exec(subject)?.[1];
  if (number !== undefined) return byNumber.get(number);
  const quoted = /^Revert "(.+)"$/.exec(withoutNumber(subject))?.[1];
  return quoted === undefined ? undefined : bySubject.get(withoutNumber(quoted));
}

function withoutNumber(subject: string): string {
  return subject.replace(/ \(#\d+\)$/, '');
}

function numberOf(subject: string): string | undefined {
  return /^Merge pull request #(\d+) /.exec(subject)?.[1] ?? /\(#(\d+)\)$/.exec(subject)?.[1];
}
