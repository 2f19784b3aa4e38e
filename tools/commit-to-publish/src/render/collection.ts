import { formatTable } from '@tributary/terminal/table';
import type { Collection, CountedNames, DepartedChanges, RefusedGroup, RepositorySummary, UpgradeSummary } from '../collect/collection.js';
import type { UnreadableGroup } from '../collect/unreadable.js';
import { SCREEN } from '../report/top-rows.js';
import type { TextStyle } from './text-style.js';
import { formatDay } from './times.js';

/** Renders a collection for a terminal: a row for each repository, then what was left out, and why. */
export function renderCollection({ repositories, upgrades }: Collection, style: TextStyle, notes: 'all' | 'some' = 'all'): string {
  const titles = ['repository', 'packages', 'changes', 'by bots', 'publications', 'published', 'events', 'new'];
  const table = formatTable(
    {
      columns: titles.map((title, at) => (at === 0 ? { title, shrink: 'start' } : { title, align: 'right' })),
      rows: repositories.map(cells),
      styleTitle: style.bold,
    },
    style.width,
  );
  const said = repositories.flatMap((summary) => shownNotes(notesOf(summary), notes).map((note) => `${summary.repo}: ${note}`));
  return [
    table,
    ...(upgrades.length === 0 ? [] : [renderUpgrades(upgrades, style, notes)]),
    ...(said.length === 0 ? [] : [said.join('\n')]),
  ].join('\n\n');
}

/** The notes of a repository that are shown without being asked for. */
const SHOWN = 8;

function shownNotes(notes: readonly string[], which: 'all' | 'some'): readonly string[] {
  if (which === 'all' || notes.length <= SHOWN) return notes;
  return [...notes.slice(0, SHOWN - 1), `${notes.length - SHOWN + 1} more notes: --verbose.`];
}

function cells({ repo, packages, changes, publications, pairs, published, inFirst, events }: RepositorySummary): readonly string[] {
  const counted = pairs - inFirst;
  const all = Object.values(publications).reduce((sum, count) => sum + count, 0);
  return [
    repo,
    String(packages.length),
    String(changes.person + changes.bot),
    String(changes.bot),
    String(all),
    counted === 0 ? '' : `${Math.round((published / counted) * 100)} %`,
    String(events.all),
    String(events.fresh),
  ];
}

function renderUpgrades(upgrades: readonly UpgradeSummary[], style: TextStyle, which: 'all' | 'some'): string {
  const shown = which === 'all' ? upgrades : [...upgrades].sort((a, b) => b.open - a.open).slice(0, SCREEN);
  const left = upgrades.length - shown.length;
  const titles = ['package', 'consumer', 'taken', 'skipped', 'not yet'];
  const table = formatTable(
    {
      columns: titles.map((title, at) => (at < 2 ? { title, shrink: 'start' } : { title, align: 'right' })),
      rows: shown.map(({ package: name, consumer, taken, skipped, open }) => [name, consumer, `${taken}`, `${skipped}`, `${open}`]),
      styleTitle: style.bold,
    },
    style.width,
  );
  return left === 0 ? table : `${table}\n${left} more: --verbose.`;
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
  'impossible time': 'with a time in the future or before 2000, so not measured',
  'another package': 'not in the registry, which has no other version at a time that git confirms; the time in git is used',
  'not in this history': 'left out: the commit has no history in common with the main line',
};

function notesOf(summary: RepositorySummary): readonly string[] {
  const {
    nothing,
    refused,
    lateTags,
    unclaimedTags,
    moved,
    unmatchedTags,
    ambiguousTags,
    leftOut,
    unknown,
    unreadable,
    flawed,
    hasTags,
    changesInFirst,
    publications,
    unreadableLockfiles,
    events,
    unpublished,
  } = summary;
  const channels = Object.entries(publications).map(([channel, count]) => `${channel} (${count})`);
  return [
    ...(nothing === null ? [] : [NOTHING[nothing]]),
    ...(channels.length > 0 ? [`channels: ${channels.join(', ')}.`] : nothing === null ? ['no publication was found.'] : []),
    ...(hasTags || unmatchedTags.count + ambiguousTags.count > 0 || nothing !== null
      ? []
      : ['this clone has no tags, so only commits that set a version count as publications. If it should have tags: git fetch --tags.']),
    ...sinceNotes(summary),
    ...ofSome(flawed, 'event', 'left out: a commit or a tag with an impossible time'),
    ...ofSome(events.retracted, 'event', 'retracted: no longer true, according to the clone and GitHub'),
    ...counted(moved, 'version', 'published at another time than the last collection saw, or without a change: a tag moved, or came late'),
    ...(summary.clone === 'current'
      ? []
      : [
          'this clone lacks the last collected commit, so nothing was retracted. Fetch it. If its history was rewritten, collect with --full.',
        ]),
    ...refused.map(({ why, count, examples }) => `${count} ${plural(count, 'version')} (${list(examples, count)}): ${REASONS[why]}.`),
    ...counted(lateTags, 'publication', 'the time is that of a tag made more than a day after its commit'),
    ...tagNotes(
      unmatchedTags,
      'match no pattern of release tags for a package of the main line. If they are releases, set "publish": { "tags": ["{name}@{version}"] }',
    ),
    ...tagNotes(ambiguousTags, 'are ambiguous, because several packages have the short name. They are left out'),
    ...counted(unclaimedTags, 'tag', 'for a version that no published package of the main line had then'),
    ...importNotes(summary),
    ...commitNotes(summary.reverted, 'reverted before a release, or the revert itself: not measured by it, as it has nothing of them'),
    ...commitNotes(summary.broughtBack, 'the merge of a release branch: not measured by later releases, as an earlier one had all of it'),
    ...gitHubNotes(summary),
    ...counted(leftOut, 'private package', 'without a tag, left out'),
    ...counted(unknown, 'package', 'not in the registry; the time in git is used'),
    ...unreadable.map((group) => `${unreadableNote(group)} Packages count as before; new ones are not counted yet.`),
    ...unreadableLockfiles.map((group) => `${unreadableNote(group)} The earlier lockfile is used.`),
    ...ofSome(
      unpublished,
      'change',
      'touched no published file (only tests, docs or CI, for example): in a report only with --changes all',
    ),
    ...ofSome(
      changesInFirst,
      'change',
      `${changesInFirst === 1 ? 'was' : 'were'} released with the first publication of a package, which measures nothing`,
    ),
    ...pullRequestNotes(summary),
  ];
}

const NOTHING: Readonly<Record<NonNullable<RepositorySummary['nothing']>, string>> = {
  'no package.json': 'nothing can be measured: no commit of the main line has a readable package.json at the root.',
  'no published package': 'nothing can be measured: all packages are private, and no tag or deployment names one.',
};

/** Returns, for example: `2 commits (1a2b3c4d5e6f, …) cannot be read (MANIFEST_INVALID): packages/ui/package.json:1: it is not JSON.` */
function unreadableNote({ code, reason, count, commits }: UnreadableGroup): string {
  const shown = commits.map((commit) => commit.slice(0, 12));
  return `${count} ${plural(count, 'commit')} (${list(shown, count)}) cannot be read (${code}): ${reason}`;
}

function commitNotes({ count, examples }: CountedNames, what: string): readonly string[] {
  const shown = examples.map((id) => id.slice(0, 12));
  return count === 0 ? [] : [`${count} ${plural(count, 'change')} (${list(shown, count)}): ${what}.`];
}

function tagNotes({ count, examples }: CountedNames, what: string): readonly string[] {
  return count === 0
    ? []
    : [
        `${count} ${plural(count, 'tag')} (${list(examples, count)}) ${
          count === 1
            ? what
                .replace(/^match /, 'matches ')
                .replace(/^are /, 'is ')
                .replace('If they are releases', 'If it is a release')
                .replace('They are left out', 'It is left out')
            : what
        }.`,
      ];
}

function sinceNotes({ since, changes }: RepositorySummary): readonly string[] {
  if (since === null) return [];
  const all = changes.person + changes.bot;
  const day = formatDay(since.from);
  return since.changes === 0
    ? [`no change was merged since ${day} (--since), so there is nothing to record.`]
    : [
        `${since.changes} of ${all} ${plural(all, 'change')} ${since.changes === 1 ? 'was' : 'were'} merged since ${day}; the others are not recorded.`,
      ];
}

function importNotes({ former, withoutFormer, unreleased, returned, departed, unreadableImports }: RepositorySummary): readonly string[] {
  const before = Object.entries(former).map(([name, count]) => `${name} (${count})`);
  const alone = withoutFormer.map(({ package: name, source }) => `${name} from ${source}`);
  return [
    ...(before.length === 0
      ? []
      : [`publications from before a move: ${list(before.slice(0, 5), before.length)}. The first one after them is measured.`]),
    ...unreleased.map(
      ({ package: packageName, changes }) =>
        `${changesOfPackage(packageName, changes)} had no release when it moved. ${changes.length === 1 ? 'It counts' : 'They count'} as published with the first release here that has ${changes.length === 1 ? 'it' : 'them'}.`,
    ),
    ...returned.map(
      ({ package: packageName, source, commit }) =>
        `${packageName} counts as back from ${source} with ${commit.slice(0, 12)}: it had moved there, and that commit has a version published there.`,
    ),
    ...departed.map(departedNote),
    ...counted(
      alone,
      'imported package',
      'no publication from before the move is known, so the first one here measures nothing. Also collect the source',
    ),
    ...unreadableImports.map(
      ({ merge, problem }) => `the import record of ${merge.slice(0, 12)} cannot be read: ${problem}. It is ignored.`,
    ),
  ];
}

function departedNote(departed: DepartedChanges): string {
  const { package: packageName, commit, channels, changes } = departed;
  const where = channels === null ? '' : ` on ${channels.join(', ')}`;
  const measures = changes.length === 1 ? 'it measures nothing' : 'they measure nothing';
  const note = `${changesOfPackage(packageName, changes)} had no release${where} when ${packageName} left, or became private, with ${commit.slice(0, 12)}, so ${measures}${channels === null ? '' : ' there'}.`;
  return [note, ...(channels === null ? whereNow(departed) : [])].join(' ');
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

function changesOfPackage(name: string, changes: readonly string[]): string {
  const ids = changes.slice(0, 5).map((id) => id.slice(0, 12));
  return `${changes.length} ${plural(changes.length, 'change')} of ${name} (${list(ids, changes.length)})`;
}

function gitHubNotes({ leftAtGitHub }: RepositorySummary): readonly string[] {
  const { releases, deployments } = leftAtGitHub;
  const ofEnvironments = Object.entries(deployments).flatMap(([environment, { failed, underWay, elsewhere }]) => [
    ...ofSome(failed, 'deployment', `to ${environment} failed, and published nothing`),
    ...ofSome(underWay, 'deployment', `to ${environment}: GitHub does not show (yet) how they ended`),
    ...ofSome(elsewhere, 'deployment', `to ${environment} left out: their commits are not in this clone`),
  ]);
  return [...counted(releases, 'release', 'at GitHub, whose tag is not in this clone or names no version of a package'), ...ofEnvironments];
}

/** In milliseconds: a smaller difference between clocks is normal. */
const CLOCKS_DIFFER = 10_000;

function pullRequestNotes({ changes, pullRequests, clockSkew }: RepositorySummary): readonly string[] {
  const { changes: known, withoutCommit } = pullRequests;
  const all = changes.person + changes.bot;
  const skew = Math.round(Math.abs(clockSkew ?? 0) / 1000);
  return [
    ...(known === 0 && clockSkew === null ? [] : [`${known} of ${all} ${plural(all, 'change')} have a pull request on GitHub.`]),
    ...ofSome(withoutCommit, 'merged pull request', 'left out: GitHub has no commit of them'),
    ...(Math.abs(clockSkew ?? 0) < CLOCKS_DIFFER
      ? []
      : [`the clock of GitHub is ${skew} s ${(clockSkew ?? 0) > 0 ? 'ahead of' : 'behind'} the one here; no time was corrected.`]),
  ];
}

function counted(names: readonly string[], what: string, why: string): readonly string[] {
  return names.length === 0 ? [] : [`${names.length} ${plural(names.length, what)} (${list(names.slice(0, 5), names.length)}): ${why}.`];
}

/** Returns a note on so many of something; none if there are none. */
function ofSome(count: number, what: string, note: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${plural(count, what)} ${note}.`];
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

function list(examples: readonly string[], count: number): string {
  return `${examples.join(', ')}${count > examples.length ? ', …' : ''}`;
}
