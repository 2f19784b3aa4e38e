import type { CommitParents, NamedCommit } from '@tributary/git/history';
import type { CommitId } from '@tributary/model/ids';

/** What a message that git or a forge writes says about a merge. */
type MergeSubject =
  /** It merges the main line into something else, so the main line was the second parent: a `git pull` before a push. */
  | 'main line'
  /** It merges another branch. */
  | 'other branch'
  | 'unknown';

interface SubjectScene {
  /** The names of the main branch. */
  readonly branches: ReadonlySet<string>;
  /** Tells whether an address in a subject is that of this repository. Somebody else's `main` is just a branch. */
  readonly isOwn: (address: string) => boolean;
}

const NAMED = /^Merge (remote-tracking )?branch(?:es)? '(?:refs\/(?:heads|remotes)\/)?(.+?)'(?: of (\S+))?(?: into (\S+))?$/;
const OF_FORGE = /^(?:Merge (?:pull request|branch|branches|tag|commit|remote-tracking)\b|Merged? (?:in|PR)\b)/;

/** Returns what the subject of a merge says. GitLab quotes the target: `into 'main'` merges a fork's branch there. */
export function mergeSubject(subject: string, { branches, isOwn }: SubjectScene): MergeSubject {
  const [, isRemote, name = '', address, into = ''] = NAMED.exec(subject) ?? [];
  const branch = isRemote === undefined ? name : name.replace(/^origin\//, '');
  if (!branches.has(branch)) return OF_FORGE.test(subject) && !branches.has(branch.replace(/^[^/]+\//, '')) ? 'other branch' : 'unknown';
  if (into.startsWith("'") && branches.has(into.slice(1, -1))) return 'other branch';
  // Of both names of a main line, one is then just a branch.
  if (into !== branch && branches.has(into)) return 'unknown';
  return address === undefined || isOwn(address) ? 'main line' : 'other branch';
}

interface LineScene {
  readonly head: CommitId;
  readonly subjectOf: (subject: string) => MergeSubject;
  /** Commits that were the tip of the main line, as an earlier collection or the forge knows. */
  readonly tips: ReadonlySet<CommitId>;
  /** Merges whose second parent is known from an earlier collection to be the main line. */
  readonly swapped: ReadonlySet<CommitId>;
}

/** A main line as it was pushed. */
export interface PushedLine {
  /** Oldest first. The first parent of each is the commit before it. */
  readonly commits: readonly CommitParents[];
  /** The merges of which only a tip tells that their second parent is the main line. */
  readonly swapped: readonly CommitId[];
}

/** Returns the commits that were the tip of a main line, or came with one: where a merge brought the main line itself, its second parent. */
export function pushedLine(history: readonly NamedCommit[], { head, subjectOf, tips, swapped }: LineScene): PushedLine {
  const known = new Map<CommitId, NamedCommit>(history.map((commit) => [commit.id, commit]));
  const decided = new Map<CommitId, 'first' | 'second'>([...swapped].map((id) => [id, 'second']));
  for (;;) {
    const commits = walk(head, known, ({ id, subject }) => decided.get(id) ?? (subjectOf(subject) === 'main line' ? 'second' : 'first'));
    const wrong = landingsOfTips(commits, known, tips).filter(
      ({ id, subject }) => !decided.has(id) && subjectOf(subject) !== 'other branch',
    );
    if (wrong.length === 0) return { commits, swapped: [...decided].flatMap(([id, parent]) => (parent === 'second' ? [id] : [])) };
    for (const { id, subject } of wrong) decided.set(id, subjectOf(subject) === 'main line' ? 'first' : 'second');
  }
}

function walk(
  head: CommitId,
  known: ReadonlyMap<CommitId, NamedCommit>,
  parentOf: (merge: NamedCommit) => 'first' | 'second',
): readonly CommitParents[] {
  const line: CommitParents[] = [];
  for (let at = known.get(head); at !== undefined; at = known.get(line.at(-1)?.parents[0] as CommitId)) {
    const [first, second, ...more] = at.parents;
    const isSwapped = first !== undefined && second !== undefined && more.length === 0 && parentOf(at) === 'second';
    line.push({ id: at.id, parents: isSwapped ? [second, first] : at.parents });
  }
  return line.reverse();
}

/** Returns the merges of a line that brought a tip of the main line from beside it. */
function landingsOfTips(
  line: readonly CommitParents[],
  known: ReadonlyMap<CommitId, NamedCommit>,
  tips: ReadonlySet<CommitId>,
): readonly NamedCommit[] {
  const seen = new Set(line.map(({ id }) => id));
  if ([...tips].every((tip) => seen.has(tip) || !known.has(tip))) return [];
  return line.flatMap(({ id, parents }) => {
    const waiting = parents.slice(1);
    let brings = false;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      brings ||= tips.has(at);
      waiting.push(...(known.get(at)?.parents ?? []));
    }
    const merge = known.get(id);
    return brings && parents.length === 2 && merge !== undefined ? [merge] : [];
  });
}
