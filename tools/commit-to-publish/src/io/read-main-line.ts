import { type CommitParents, type HistoryCommit, readAuthors, readFilesAt, streamHistory } from '@tributary/git/history';
import { streamObjects } from '@tributary/git/objects';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { actorTest } from '../collect/actor.js';
import type { LineCommit } from '../collect/layout.js';
import { LayoutWalk, type Walked } from '../collect/layout-walk.js';
import { type MainCommit, mainCommitOf } from '../collect/main-commit.js';
import { type MainLine, mainLineOf } from '../collect/main-line.js';
import type { NameNow } from '../collect/renames.js';
import { mayRevert, type Reverts, revertsOf, wholeReverts } from '../collect/reverts.js';
import type { Clone } from './open-clone.js';
import type { ReadClone } from './read-imports.js';
import type { Line } from './read-pushed-line.js';

interface MainLineChoices {
  /** The name of the repository in the record, and of its only package if that has none. */
  readonly repo: string;
  readonly bots: readonly string[];
  readonly tagPatterns: readonly string[];
  readonly nameNow: NameNow;
  readonly formerNames: readonly string[];
  readonly isDeployed: (packageName: string) => boolean;
  readonly line: Line;
  /** Called with the number of commits read since the last call. */
  readonly onCommits: (count: number) => void;
}

/** Reads the main line of a clone from its beginning, with its packages at each commit. Takes some git processes, whatever its length. */
export async function readMainLine(
  clone: Pick<ReadClone, 'git' | 'head' | 'name' | 'tags' | 'cache'>,
  choices: MainLineChoices,
): Promise<MainLine> {
  const { git, name, tags } = clone;
  const walked = await walkLine(clone, choices);
  const commits = walked.steps.map(({ commit }) => commit);
  const messages = await readTexts(
    git,
    commits.filter(mayRevert).map(({ id }) => id),
  );
  const isOwn = (repository: string): boolean => repository.toLowerCase() === name.toLowerCase();
  const reverts = await keepWhole(git, commits, revertsOf(commits, { messageOf: (id) => messages.get(id), isOwn }));
  return mainLineOf({ ...choices, walked, tags, reverts });
}

/** Walks over the commits that no earlier collection walked over, and goes on from where it ended. */
async function walkLine({ git, head, cache }: Pick<ReadClone, 'git' | 'head' | 'cache'>, choices: MainLineChoices): Promise<Walked> {
  const { line, repo, bots, nameNow, formerNames } = choices;
  const rootName = repo.slice(repo.lastIndexOf('/') + 1);
  const settings = JSON.stringify(['walk', rootName, bots, formerNames.map((former) => [former, nameNow(former)])]);
  const known = cache.walked(settings);
  const before = known !== undefined && isBeginning(known, line.commits) ? known : undefined;
  const last = before?.steps.at(-1)?.commit.id;
  if (before !== undefined && before.steps.length === line.commits.length) return before;
  const rest = last === undefined && line.isPlain ? undefined : line.commits.slice(before?.steps.length ?? 0);
  const commits = await readCommits(git, head, { rest, ...choices });
  const whole = last === undefined ? [] : [mainCommitOf({ ...NOBODY, id: last, changes: await readFilesAt(git, last) }, 'person')];
  const texts = await readTexts(
    git,
    [...whole, ...commits].flatMap(({ manifests, memberLists, npmignores }) =>
      [...manifests.values(), ...memberLists.values(), ...npmignores.values()].filter((id) => id !== undefined),
    ),
  );
  const walk = new LayoutWalk((id) => texts.get(id), rootName, nameNow);
  for (const commit of whole) if (before !== undefined) walk.resume(before, commit);
  for (const commit of commits) walk.next(commit);
  cache.keepWalked(settings, walk.walked, commits.length);
  return walk.walked;
}

const NOBODY = { parents: [], time: 0, author: { name: '', email: '' }, subject: '' };

function isBeginning({ steps }: Walked, line: readonly CommitParents[]): boolean {
  return (
    steps.length <= line.length && steps.every(({ commit }, at) => commit.id === line[at]?.id && commit.parents[0] === line[at].parents[0])
  );
}

/** `rest`: the part of the line to read; `undefined`: all of it, by first parents. */
async function readCommits(
  git: Clone['git'],
  head: CommitId,
  { rest, bots, onCommits }: Pick<MainLineChoices, 'bots' | 'onCommits'> & { readonly rest: readonly CommitParents[] | undefined },
): Promise<readonly MainCommit[]> {
  const isBot = actorTest(bots);
  const commits: MainCommit[] = [];
  for await (const group of streamHistory(git, head, rest)) {
    for (const commit of group) commits.push(mainCommitOf(commit, isBot(commit.author)));
    onCommits(group.length);
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
  return commits;
}

/** Reads again what reverts and reverted commits changed: of all the others, nobody needs the contents in memory. */
async function keepWhole(git: Clone['git'], commits: readonly LineCommit[], reverts: Reverts): Promise<Reverts> {
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
