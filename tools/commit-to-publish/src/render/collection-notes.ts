import type { CountedNames, DepartedChanges, RefusedGroup, RepositorySummary, UnclaimedTags } from '../collect/collection.js';
import type { UnreadableGroup } from '../collect/unreadable.js';
import { formatDay } from './times.js';

/** What a collection has to say beside the row of a repository. */
export interface Note {
  /** What is counted, in a few words: notes of several repositories that count the same are added up. */
  readonly what: string;
  readonly count: number;
  /** The whole sentence. */
  readonly text: string;
}

const REASONS: Readonly<Record<RefusedGroup['why'], string>> = {
  'no commit': 'left out: no tag, no commit that set the version, and no gitHead in this clone',
  'no time': 'left out: unknown time',
  'registry time is implausible': 'the time in the registry differs by more than a day from git, and is ignored',
  'registry time is later': 'more than a day later in the registry than the commit; the time in the registry counts',
  'two tags': 'tagged on different commits, so not measured',
  'no time in the registry': 'the registry gives no valid time; the time in git is used',
  'before a change in it': 'with a time more than an hour before the merge of a change inside; such changes are not measured',
  'not in the registry': 'left out: not in the registry, so the changes wait for the next version',
  'registry lacks its latest': 'not in the registry, which lacks even its latest version; the time in git is a lower bound',
  'registry lacks its first':
    'not in the registry, which is more than a day older than its first version; the time in git is a lower bound',
  'impossible time of the tag': 'the time of the tag is in the future or before 2000; that of its commit is a lower bound',
  'impossible time': 'with a time in the future, before 2000, or out of order with other commits, so not measured',
  'another package': 'not in the registry, which has no other version at a time that git confirms; the time in git is used',
  'not in this history': 'left out: the commit has no history in common with the main line',
};

const UNCLAIMED: Readonly<Record<UnclaimedTags['why'], string>> = {
  'another history': 'left out: the commit has no history in common with the main line',
  'no package': 'left out: no published package of the main line has this version there',
  'not new': 'left out: a published package has this version there, from an earlier commit or with another tag',
  'several packages': 'left out: from a joined history that did not bring exactly one published package',
};

/** Adds up notes by what they count, in their order. */
export function sumNotes(notes: readonly Note[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { what, count } of notes) sums.set(what, (sums.get(what) ?? 0) + count);
  return [...sums].map(([what, count]) => `${what} (${count})`);
}

export function notesOf(summary: RepositorySummary): readonly Note[] {
  const { refused, lateTags, unclaimedTags, moved, unmatchedTags, ambiguousTags, leftOut, unknown, unreadable, flawed } = summary;
  const { changesInFirst, unreadableLockfiles, events, unpublished } = summary;
  return [
    ...emptinessNotes(summary),
    ...sinceNotes(summary),
    ...ofSome('events with an impossible time', flawed, 'event', 'left out: a commit or a tag with an impossible time'),
    ...ofSome('events retracted', events.retracted, 'event', 'retracted: no longer true, according to this collection'),
    ...counted(
      'versions with a moved or late tag',
      moved,
      'version',
      'published at another time than the last collection saw, or without a change: a tag moved, or came late',
    ),
    ...behindNotes(summary),
    ...refused.map(({ why, count, examples }) => ({
      what: 'versions left out or in doubt',
      count,
      text: `${count} ${plural(count, 'version')} (${list(examples, count)}): ${REASONS[why]}.`,
    })),
    ...counted('late tags', lateTags, 'publication', 'the time is that of a tag made more than a day after its commit'),
    ...tagNotes(
      'tags that match no pattern',
      unmatchedTags,
      'match no pattern of release tags for a package of the main line. If they are releases, set their form, such as "publish": { "tags": ["release/{shortName}/{version}"] }',
    ),
    ...tagNotes('ambiguous tags', ambiguousTags, 'are ambiguous, because several packages have the short name. They are left out'),
    ...unclaimedTags.map(({ why, count, examples }) => ({
      what: 'tags of no package',
      count,
      text: `${count} ${plural(count, 'tag')} (${list(examples, count)}): ${UNCLAIMED[why]}.`,
    })),
    ...importNotes(summary),
    ...commitNotes(
      'reverted changes',
      summary.reverted,
      'reverted before a release, or the revert itself: not measured by it, as it has nothing of them',
    ),
    ...commitNotes(
      'merges of release branches',
      summary.broughtBack,
      'the merge of a release branch: not measured by later releases, as an earlier one had all of it',
    ),
    ...commitNotes(
      'changes at a wrong time',
      summary.mistimed,
      'not measured, because the commit is more than an hour older than one before it, or younger than one after it',
    ),
    ...gitHubNotes(summary),
    ...counted('private packages', leftOut, 'private package', 'without a tag, left out'),
    ...counted('packages not in the registry', unknown, 'package', 'not in the registry; the time in git is used'),
    ...unreadable.map((group) => unreadableNote(group, 'Packages count as before; new ones are not counted yet.')),
    ...unreadableLockfiles.map((group) => unreadableNote(group, 'The earlier lockfile is used.')),
    ...ofSome(
      'changes of no published file',
      unpublished,
      'change',
      'touched no published file (only tests, docs or CI, for example): in a report only with --changes all',
    ),
    ...ofSome(
      'changes in a first publication',
      changesInFirst,
      'change',
      `${changesInFirst === 1 ? 'was' : 'were'} released with the first publication of a package, which measures nothing`,
    ),
    ...pullRequestNotes(summary),
  ];
}

const NOTHING: Readonly<Record<NonNullable<RepositorySummary['nothing']> | 'unreadable', Omit<Note, 'count'>>> = {
  unreadable: { what: 'repositories whose packages cannot be read', text: 'nothing can be measured: its packages cannot be read.' },
  'no package.json': {
    what: 'repositories without a package.json at the root',
    text: 'nothing can be measured: no commit of the main line has a package.json at the root with packages.',
  },
  'no published package': {
    what: 'repositories whose packages are all private',
    text: 'nothing can be measured: all packages are private, and no tag or deployment names one.',
  },
};

function emptinessNotes({ nothing, unreadable, publications, hasTags, unmatchedTags, ambiguousTags }: RepositorySummary): readonly Note[] {
  if (nothing !== null) return [{ ...NOTHING[unreadable.length > 0 ? 'unreadable' : nothing], count: 1 }];
  return [
    ...(Object.keys(publications).length > 0
      ? []
      : [{ what: 'repositories without a publication', count: 1, text: 'no publication was found.' }]),
    ...(hasTags || unmatchedTags.count + ambiguousTags.count > 0
      ? []
      : [
          {
            what: 'clones without tags',
            count: 1,
            text: 'this clone has no tags, so only commits that set a version count as publications. If it should have tags: git fetch --tags.',
          },
        ]),
  ];
}

function behindNotes({ clone }: RepositorySummary): readonly Note[] {
  const text =
    'this clone lacks the last collected commit, so nothing was retracted. Fetch it. If its history was rewritten, collect with --full.';
  return clone === 'current' ? [] : [{ what: 'clones that lack the last collected commit', count: 1, text }];
}

/** Returns, for example: `2 commits (1a2b3c4d5e6f, …) cannot be read (MANIFEST_INVALID): packages/ui/package.json:1: it is not JSON.` */
function unreadableNote({ code, reason, count, commits }: UnreadableGroup, meanwhile: string): Note {
  const shown = commits.map((commit) => commit.slice(0, 12));
  const text = `${count} ${plural(count, 'commit')} (${list(shown, count)}) cannot be read (${code}): ${reason} ${meanwhile}`;
  return { what: 'unreadable commits', count, text };
}

function commitNotes(what: string, { count, examples }: CountedNames, why: string): readonly Note[] {
  const shown = examples.map((id) => id.slice(0, 12));
  return count === 0 ? [] : [{ what, count, text: `${count} ${plural(count, 'change')} (${list(shown, count)}): ${why}.` }];
}

function tagNotes(what: string, { count, examples }: CountedNames, why: string): readonly Note[] {
  if (count === 0) return [];
  const ofOne = why
    .replace(/^match /, 'matches ')
    .replace(/^are /, 'is ')
    .replace('If they are releases, set their', 'If it is a release, set its')
    .replace('They are left out', 'It is left out');
  return [{ what, count, text: `${count} ${plural(count, 'tag')} (${list(examples, count)}) ${count === 1 ? ofOne : why}.` }];
}

function sinceNotes({ since, changes }: RepositorySummary): readonly Note[] {
  if (since === null) return [];
  const all = changes.person + changes.bot;
  const day = formatDay(since.from);
  const text =
    since.changes === 0
      ? `no change was merged since ${day} (--since), so there is nothing to record.`
      : `${since.changes} of ${all} ${plural(all, 'change')} ${since.changes === 1 ? 'was' : 'were'} merged since ${day}; the others are not recorded.`;
  return [{ what: `changes before ${day} (--since), not recorded`, count: all - since.changes, text }];
}

function importNotes(summary: RepositorySummary): readonly Note[] {
  const { former, withoutFormer, unreleased, returned, departed, unreadableImports } = summary;
  const before = Object.entries(former).map(([name, count]) => `${name} (${count})`);
  const alone = withoutFormer.map(({ package: name, source }) => `${name} from ${source}`);
  return [
    ...(before.length === 0
      ? []
      : [
          {
            what: 'publications from before a move',
            count: Object.values(former).reduce((sum, count) => sum + count, 0),
            text: `publications from before a move: ${list(before.slice(0, 5), before.length)}. The first one after them is measured.`,
          },
        ]),
    ...unreleased.map(({ package: packageName, changes }) => ({
      what: 'changes that moved in unreleased',
      count: changes.length,
      text: `${changesOfPackage(packageName, changes)} had no release when it moved. ${changes.length === 1 ? 'It counts' : 'They count'} as published with the first release here that has ${changes.length === 1 ? 'it' : 'them'}.`,
    })),
    ...returned.map(({ package: packageName, source, commit }) => ({
      what: 'packages that came back',
      count: 1,
      text: `${packageName} counts as moved back from ${source} with commit ${commit.slice(0, 12)}, which has a version that was published there.`,
    })),
    ...departed.map((one) => departedNote(one, summary)),
    ...renamedNotes(summary),
    ...counted(
      'imported packages with no earlier publication',
      alone,
      'imported package',
      'no publication from before the move is known, so the first one here measures nothing. Also collect the source',
    ),
    ...unreadableImports.map(({ merge, problem }) => ({
      what: 'unreadable import records',
      count: 1,
      text: `the import record of ${merge.slice(0, 12)} cannot be read: ${problem}. It is ignored.`,
    })),
  ];
}

function departedNote(departed: DepartedChanges, { renamed }: RepositorySummary): Note {
  const { package: packageName, commit, channels, changes } = departed;
  const where = channels === null ? '' : ` on ${channels.join(', ')}`;
  const measures = changes.length === 1 ? 'it measures nothing' : 'they measure nothing';
  const note = `${changesOfPackage(packageName, changes)} had no release${where} when ${packageName} left, or became private, with ${commit.slice(0, 12)}, so ${measures}${channels === null ? '' : ' there'}.`;
  const isRenamed = renamed.some((one) => one.former === packageName && one.commit === commit);
  const text = [note, ...(channels === null && !isRenamed ? whereNow(departed) : [])].join(' ');
  return { what: 'changes whose package left before a release', count: changes.length, text };
}

/** Says how the changes could count, unless the other repository is joined already. */
function whereNow({ package: packageName, holders }: DepartedChanges): readonly string[] {
  if (holders.some(({ isJoined }) => isJoined)) return [];
  const repos = holders.map(({ repo }) => repo);
  return repos.length === 0
    ? ['If another repository has it now, collect that one too.']
    : [
        `${list(repos, repos.length)} ${repos.length === 1 ? 'has' : 'have'} a package of that name. If it is the same one, name the commit that brought it there: "publish": { "moved": { "${packageName}": "<commit>" } } in tributary.json.`,
      ];
}

/** Suggests the setting that joins both names: whole, so that it can be pasted. */
function renamedNotes({ renamed }: RepositorySummary): readonly Note[] {
  const [first] = renamed;
  if (first === undefined) return [];
  const pairs = renamed.map(({ former, name }) => `${JSON.stringify(former)}: ${JSON.stringify(name)}`).join(', ');
  const text = `${renamed.length} ${plural(renamed.length, 'package')} got another name in the same folder, as ${first.former} with ${first.commit.slice(0, 12)}. To count both names as one package, set "publish": { "renamed": { ${pairs} } } in tributary.json.`;
  return [{ what: 'renamed packages', count: renamed.length, text }];
}

function changesOfPackage(name: string, changes: readonly string[]): string {
  const ids = changes.slice(0, 5).map((id) => id.slice(0, 12));
  return `${changes.length} ${plural(changes.length, 'change')} of ${name} (${list(ids, changes.length)})`;
}

function gitHubNotes({ leftAtGitHub }: RepositorySummary): readonly Note[] {
  const { releases, deployments } = leftAtGitHub;
  const what = 'releases and deployments at GitHub that published nothing here';
  const ofEnvironments = Object.entries(deployments).flatMap(([environment, { failed, underWay, elsewhere }]) => [
    ...ofSome(what, failed, 'deployment', `to ${environment} failed, and published nothing`),
    ...ofSome(what, underWay, 'deployment', `to ${environment}: GitHub does not show (yet) how they ended`),
    ...ofSome(what, elsewhere, 'deployment', `to ${environment} left out: their commits are not in this clone`),
  ]);
  return [
    ...counted(what, releases, 'release', 'at GitHub, whose tag is not in this clone or names no version of a package'),
    ...ofEnvironments,
  ];
}

/** In milliseconds: a smaller difference between clocks is normal. */
const CLOCKS_DIFFER = 10_000;

function pullRequestNotes({ changes, pullRequests, clockSkew }: RepositorySummary): readonly Note[] {
  const { changes: known, withoutCommit } = pullRequests;
  const all = changes.person + changes.bot;
  const skew = Math.round(Math.abs(clockSkew ?? 0) / 1000);
  return [
    ...(known === 0 && clockSkew === null
      ? []
      : [
          {
            what: 'changes with a pull request',
            count: known,
            text: `${known} of ${all} ${plural(all, 'change')} have a pull request on GitHub.`,
          },
        ]),
    ...ofSome('pull requests without a commit', withoutCommit, 'merged pull request', 'left out: GitHub has no commit of them'),
    ...(Math.abs(clockSkew ?? 0) < CLOCKS_DIFFER
      ? []
      : [
          {
            what: 'seconds between the clock of GitHub and the one here',
            count: skew,
            text: `the clock of GitHub is ${skew} s ${(clockSkew ?? 0) > 0 ? 'ahead of' : 'behind'} the one here; no time was corrected.`,
          },
        ]),
  ];
}

function counted(what: string, names: readonly string[], one: string, why: string): readonly Note[] {
  const { length: count } = names;
  return count === 0 ? [] : [{ what, count, text: `${count} ${plural(count, one)} (${list(names.slice(0, 5), count)}): ${why}.` }];
}

/** Returns a note on so many of something; none if there are none. */
function ofSome(what: string, count: number, one: string, note: string): readonly Note[] {
  return count === 0 ? [] : [{ what, count, text: `${count} ${plural(count, one)} ${note}.` }];
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

export function list(examples: readonly string[], count: number): string {
  return `${examples.join(', ')}${count > examples.length ? ', …' : ''}`;
}
