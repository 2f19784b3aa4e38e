import type { RawChange } from '@tributary/git/parse';
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

interface RevertScene {
  /** Returns the whole message of a commit that may revert one. */
  readonly messageOf: (commit: CommitId) => string | undefined;
  /** Tells whether `owner/name` is this repository: in another one, the number is that of another pull request. */
  readonly isOwn: (repository: string) => boolean;
}

/**
 * Returns which commits of a main line, oldest first, say that they revert an earlier one: by its id, by the number of its pull request, or
 * by its subject.
 */
export function revertsOf(commits: readonly Described[], { messageOf, isOwn }: RevertScene): Reverts {
  const byNumber = new Map<string, CommitId>();
  const bySubject = new Map<string, CommitId>();
  const ids = new Set<string>();
  const found = new Map<CommitId, CommitId>();
  for (const commit of commits) {
    const { id, subject } = commit;
    const reverted = mayRevert(commit) ? revertedBy(commit, messageOf(id) ?? '', { ids, byNumber, bySubject, isOwn }) : undefined;
    if (reverted !== undefined) found.set(id, reverted);
    ids.add(id);
    bySubject.set(withoutNumber(subject), id);
    const number = numberOf(subject);
    if (number !== undefined) byNumber.set(number, id);
  }
  return found;
}

interface KnownCommits extends Pick<RevertScene, 'isOwn'> {
  readonly ids: ReadonlySet<string>;
  readonly byNumber: ReadonlyMap<string, CommitId>;
  readonly bySubject: ReadonlyMap<string, CommitId>;
}

/** What a message names beside the main line is unknown: it may be a part of what was merged. */
function revertedBy({ subject }: Described, message: string, { ids, byNumber, bySubject, isOwn }: KnownCommits): CommitId | undefined {
  const named = [...message.matchAll(/This reverts commit ([0-9a-f]{40,64})\b/g)].map(([, id = '']) => id);
  // Several at once are one commit for each, which says nothing of the others.
  if (named.length > 0) return named.length === 1 && ids.has(named[0] ?? '') ? (named[0] as CommitId) : undefined;
  const [, repository, pull] = /^Reverts ([\w.-]+\/[\w.-]+)?#(\d+)\b/m.exec(message) ?? [];
  if (repository !== undefined && !isOwn(repository)) return undefined;
  const number = pull ?? REVERT_BRANCH.exec(subject)?.[1];
  if (number !== undefined) return byNumber.get(number);
  const quoted = /^Revert "(.+)"$/.exec(withoutNumber(subject))?.[1];
  return quoted === undefined ? undefined : bySubject.get(withoutNumber(quoted));
}

/**
 * Returns the reverts that took back a whole change and did nothing else: they touch the same files, and each is again as it was before it.
 * Of any other one, something came out, whatever its message says. `changesOf`: what a commit changes.
 */
export function wholeReverts(reverts: Reverts, changesOf: (commit: CommitId) => readonly RawChange[] | undefined): Reverts {
  return new Map(
    [...reverts].filter(([by, reverted]) => {
      const [undoing, undone] = [changesOf(by) ?? [], changesOf(reverted) ?? []];
      const before = new Map(undone.map(({ path, oldMode, oldId }) => [path, `${oldMode} ${oldId}`]));
      return undoing.length === undone.length && undoing.every(({ path, newMode, newId }) => before.get(path) === `${newMode} ${newId}`);
    }),
  );
}

function withoutNumber(subject: string): string {
  return subject.replace(/ \(#\d+\)$/, '');
}

function numberOf(subject: string): string | undefined {
  return /^Merge pull request #(\d+) /.exec(subject)?.[1] ?? /\(#(\d+)\)$/.exec(subject)?.[1];
}
