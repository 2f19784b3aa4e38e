import { type CommitParents, type HistoryCommit, readAuthors, readTags, streamHistory } from '@tributary/git/history';
import { streamObjects } from '@tributary/git/objects';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { actorTest } from '../collect/actor.js';
import { type MainCommit, mainCommitOf } from '../collect/main-commit.js';
import { type MainLine, walkMainLine } from '../collect/main-line.js';
import type { NameNow } from '../collect/renames.js';
import { mayRevert, type Reverts, revertsOf, wholeReverts } from '../collect/reverts.js';
import type { Clone } from './open-clone.js';

interface MainLineChoices {
  /** The name of the repository in the record, and of its only package if that has none. */
  readonly repo: string;
  readonly bots: readonly string[];
  readonly tagPatterns: readonly string[];
  readonly nameNow: NameNow;
  readonly formerNames: readonly string[];
  readonly isDeployed: (packageName: string) => boolean;
  /** The line as it was pushed; `undefined`: that of first parents. */
  readonly line: readonly CommitParents[] | undefined;
  /** Called with the number of commits read since the last call. */
  readonly onCommits: (count: number) => void;
}

/** Reads the main line of a clone from its beginning, with its packages at each commit. Takes five git processes, whatever its length, and one more for reverts. */
export async function readMainLine({ git, head, name }: Pick<Clone, 'git' | 'head' | 'name'>, choices: MainLineChoices): Promise<MainLine> {
  const isBot = actorTest(choices.bots);
  const commits: MainCommit[] = [];
  for await (const group of streamHistory(git, head, choices.line)) {
    for (const commit of group) commits.push(mainCommitOf(commit, isBot(commit.author)));
    choices.onCommits(group.length);
  }
  // The author of a merge commit is not the author of the change.
  const merges = commits.flatMap((commit, position) => (commit.parents.length === 2 ? [position] : []));
  const authors = await readAuthors(
    git,
    merges.map((position) => commits[position]?.parents[1] ?? head),
  );
  for (const [at, position] of merges.entries()) {
    const [commit, author] = [commits[position], authors[at]];
    if (commit !== undefined && author !== undefined) commits[position] = { ...commit, actor: isBot(author) };
  }
  const texts = await readTexts(
    git,
    commits.flatMap(({ manifests, memberLists, npmignores }) =>
      [...manifests.values(), ...memberLists.values(), ...npmignores.values()].filter((id) => id !== undefined),
    ),
  );
  const messages = await readTexts(
    git,
    commits.filter(mayRevert).map(({ id }) => id),
  );
  const isOwn = (repository: string): boolean => repository.toLowerCase() === name.toLowerCase();
  const reverts = await keepWhole(git, commits, revertsOf(commits, { messageOf: (id) => messages.get(id), isOwn }));
  const rootName = choices.repo.slice(choices.repo.lastIndexOf('/') + 1);
  const tags = await readTags(git);
  return walkMainLine({ ...choices, commits, texts: (id) => texts.get(id), tags, reverts, rootName });
}

/** Reads again what reverts and reverted commits changed: of all the others, nobody needs the contents in memory. */
async function keepWhole(git: Clone['git'], commits: readonly MainCommit[], reverts: Reverts): Promise<Reverts> {
  const named = new Set([...reverts].flat());
  const line = commits.filter(({ id }) => named.has(id));
  const head = line.at(-1)?.id;
  if (head === undefined) return reverts;
  const changes = new Map<CommitId, HistoryCommit['changes']>();
  for await (const group of streamHistory(git, head, line)) for (const commit of group) changes.set(commit.id, commit.changes);
  return wholeReverts(reverts, (commit) => changes.get(commit));
}

async function readTexts(git: Clone['git'], ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, string>> {
  const texts = new Map<ObjectId, string>();
  for await (const group of streamObjects(git, [...new Set(ids)]))
    for (const { id, content } of group) texts.set(id, content.toString('utf8'));
  return texts;
}
