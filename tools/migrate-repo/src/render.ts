import { type Duration, formatDuration } from '@tributary/model/time';
import { formatTable } from '@tributary/terminal/table';
import { messageSamples, messageSentences } from './report/messages-part.js';
import { type SortedDecisions, sortDecisions } from './report/open-decisions.js';
import { tellOnALine } from './report/tell.js';
import { testLines, testsSentence } from './report/tests-part.js';
import type { DiscardResult } from './result/import-result.js';
import type { DecisionResult, MigrateResult, PackageResult } from './result/result.js';
import { countOf, namesOf, sumOf } from './text.js';

/** The capabilities of the terminal. */
export interface TerminalStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
}

/** Renders a plan, package by package. */
export function renderPlan(result: MigrateResult, page: TerminalStyle): string {
  const planned = result.packages.map((one) => [one.name, one.path, one.source, one.sourceCommit.slice(0, 10), String(one.tags.length)]);
  const tags = String(sumOf(result.packages, (one) => one.tags.length));
  const rows = withTotal(result, planned, { leftOut: (reason) => [reason, '', '', ''], total: ['', '', tags] });
  const table = formatTable(
    {
      columns: [
        { title: 'package' },
        { title: 'path' },
        { title: 'source', shrink: 'start' },
        { title: 'commit' },
        { title: 'tags', align: 'right' },
      ],
      rows,
      styleTitle: page.bold,
    },
    page.width,
  );
  const details = [
    ...renderTags(result),
    ...renderMessages(result),
    ...renderRegistrations(result),
    ...renderCleanUp(result),
    ...renderInstallation(result),
    ...renderAlignment(result),
  ];
  return [
    `Plan: ${countOf(result.packages.length, 'package')} on the new branch ${result.branch}`,
    '',
    table,
    '',
    ...details,
    ...renderLeftOut(result),
  ].join('\n');
}

/** Renders a finished migration: the imported packages and how each was proven. */
export function renderMigration(result: MigrateResult, page: TerminalStyle): string {
  const came = result.packages.map((one) => [one.name, one.path, ...figures(one)]);
  const sums = (['commits', 'merges', 'authors', 'tags'] as const).map((key) =>
    // Not a sum: one person may have worked on many packages.
    key === 'authors' ? '' : String(sumOf(result.packages, (one) => one.proof?.[key] ?? 0)),
  );
  const rows = withTotal(result, came, { leftOut: (reason) => ['', '', '', '', '', reason], total: [...sums, ''] });
  const numbers = ['commits', 'merges', 'authors', 'tags'].map((title) => ({ title, align: 'right' as const }));
  const table = formatTable(
    { columns: [{ title: 'package' }, { title: 'path', shrink: 'end' }, ...numbers, { title: 'proof' }], rows, styleTitle: page.bold },
    page.width,
  );
  return [
    table,
    '',
    `${countOf(result.packages.length, 'package')} on the new branch ${page.bold(result.branch)}, in ${formatDuration(result.milliseconds as Duration)}.`,
    proofSentence(result),
    ...renderTests(result),
    ...renderTagsLeftBehind(result),
    ...renderMessages(result),
    ...renderRegistrations(result),
    ...renderCleanUp(result),
    ...renderAlignment(result),
    ...renderLeftOut(result),
  ].join('\n');
}

/** Adds a row for each left-out package and a row of totals, if there are several packages. */
function withTotal(
  { packages, leftOut }: MigrateResult,
  rows: readonly (readonly string[])[],
  cells: {
    /** The cells after the name. */
    readonly leftOut: (reason: string) => readonly string[];
    /** The cells after the number of packages. */
    readonly total: readonly string[];
  },
): readonly (readonly string[])[] {
  if (packages.length + leftOut.length < 2) return rows;
  const reasonOf = (code: string): string => (code === 'ALREADY_MIGRATED' ? 'came before' : 'left out');
  return [
    ...rows,
    ...leftOut.map(({ name, code }) => [name, ...cells.leftOut(reasonOf(code))]),
    ['total', countOf(packages.length, 'package'), ...cells.total],
  ];
}

/** Renders one sentence about the tests, and a line for each package whose result is not the same. */
function renderTests({ tests }: MigrateResult): string[] {
  const sentence = testsSentence(tests);
  return tests === null || sentence === undefined ? [] : [sentence, ...testLines(tests)];
}

/** Renders decisions in full. The changes themselves are in the commits and in the report. */
export function renderAlignment(
  { alignment, state }: Pick<MigrateResult, 'alignment'> & { readonly state: string },
  nothing = 'nothing',
): string[] {
  if (alignment === null || (state !== 'planned' && alignment.length === 0)) return [];
  // A step without a commit tells what is so already.
  const steps = alignment.filter(({ files }) => files.length > 0);
  const verb = state === 'planned' ? 'Aligns' : 'Aligned';
  const done = steps.length === 0 ? `${nothing} with the monorepo` : `with the monorepo, in ${countOf(steps.length, 'commit')}`;
  return [`${verb} ${done}.`, ...renderDecisions(sortDecisions({ alignment }))];
}

/** Renders each decision with its packages, its default and how to change it. Content, order and numbers are those of the report. */
function renderDecisions({ open, before }: SortedDecisions): string[] {
  const risky = open.filter(({ risk }) => risk !== 'none').length;
  const hasPlaces = open.some(({ findings }) => findings.flatMap(({ about }) => about).length > 1);
  const items = open.map(renderDecision);
  return [
    ...headed('Breaks or may break', items.slice(0, risky)),
    ...headed('To decide', items.slice(risky)),
    ...(before.length === 0 ? [] : ['', `Decided before, in tributary.json: ${before.length}`]),
    ...(hasPlaces ? ['', 'For all places, use --report <file> or --json.'] : []),
  ];
}

function headed(title: string, items: readonly (readonly string[])[]): string[] {
  return items.length === 0 ? [] : ['', `${title}: ${items.length}`, ...items.flat()];
}

function renderDecision({ text, byDefault, toChange, findings }: DecisionResult, at: number): string[] {
  const below = [
    ...findingsOnALine(findings),
    ...(byDefault === null ? [] : [`Default: ${byDefault}`]),
    ...(toChange === null ? [] : [`To change: ${toChange}`]),
  ];
  const mark = `  ${at + 1}. `;
  return [`${mark}${text}`, ...below.map((line) => `${' '.repeat(mark.length)}${line}`)];
}

/** Renders a few findings in full. For more, it renders the packages and the number of places. */
function findingsOnALine(findings: DecisionResult['findings']): string[] {
  const places = findings.flatMap(({ about }) => about);
  if (places.length <= FEW) return findings.map(tellOnALine);
  return [`In ${namesOf([...new Set(places.map((one) => one.package))])}: ${places.length} places.`];
}

const FEW = 2;

/** Renders what is installed, and how. */
function renderInstallation({ installation, packages }: MigrateResult): string[] {
  switch (installation) {
    case null:
      return ['Keeps dependencies unchanged.'];
    case 'not asked for':
      return ['Installs nothing, and does not update the lockfile.'];
    case 'no lockfile':
      return ['Installs nothing: the monorepo has no yarn.lock of Yarn 2 or later.'];
    case 'planned':
    case 'done':
      return [`Installs with the monorepo's own Yarn, ${lockfilesOf(packages)}.`];
  }
}

function lockfilesOf(packages: readonly PackageResult[]): string {
  const owners = new Map<string, string[]>();
  for (const { name, lockfile } of packages) {
    if (lockfile === null) continue;
    const what = `${lockfile.file} (${lockfile.kind})`;
    owners.set(what, [...(owners.get(what) ?? []), name]);
  }
  if (owners.size === 0) return 'with new versions: no lockfile was imported';
  return `with the versions locked in ${[...owners].map(([what, names]) => `${what} of ${namesOf(names)}`).join(', and in ')}`;
}

/** Returns the user's next steps. */
export function nextSteps(result: MigrateResult): string {
  const tags = result.packages.some((one) => one.tags.length > 0) ? ' No tag was pushed: push the tags that you want by name.' : '';
  const merge = 'merge it with a merge commit ("Create a merge commit" on GitHub): squashing or rebasing would destroy the history';
  return `Review it with "git log --oneline --first-parent ${result.branch}", then ${merge}; "migrate-repo verify --all" verifies that afterwards.${tags}`;
}

/** Renders what was discarded, or would be. */
export function renderDiscard(result: DiscardResult, tense: 'did' | 'would'): string {
  const take = tense === 'did' ? 'Discarded' : 'Would discard';
  return `${take} ${result.packages.join(', ')}: the branch ${result.branch} and ${countOf(result.tags.length, 'tag')}.`;
}

/** Lists the tags of a single package. For several packages, the table has their numbers. */
function renderTags({ packages }: MigrateResult): string[] {
  const [one, ...others] = packages;
  if (one === undefined || others.length > 0) return [];
  const renamed = one.tags.flatMap(({ from, to }) => (from === to ? [] : `${from} to ${to}`));
  const stay = one.leftOutTags.length === 0 ? [] : [`Skips ${leftOut(one)}`];
  return renamed.length === 0 ? stay : [`Renames tags: ${namesOf(renamed)}`, ...stay];
}

function renderMessages({ packages, state }: MigrateResult): string[] {
  const samples = messageSamples(packages).flatMap(({ before, after }) => [`  - ${before}`, `  + ${after}`]);
  const [first, ...others] = messageSentences(packages, state);
  return first === undefined ? [] : [first, ...samples, ...others];
}

function renderTagsLeftBehind({ packages }: MigrateResult): string[] {
  return packages.flatMap(({ name, leftOutTags }) => (leftOutTags.length === 0 ? [] : [`Skipped ${leftOut({ name, leftOutTags })}`]));
}

/** Names the tags that are not known as releases of a package, with the reason. */
function leftOut({ name, leftOutTags }: Pick<MigrateResult['packages'][number], 'name' | 'leftOutTags'>): string {
  const verb = leftOutTags.length === 1 ? 'does' : 'do';
  return `${countOf(leftOutTags.length, 'tag')} that ${verb} not name ${name}, and at which its folder does not have this name and the tag's version: ${namesOf(leftOutTags)}`;
}

function renderRegistrations({ packages, state }: MigrateResult): string[] {
  const added = packages.filter((one) => one.registration === 'added').map(({ name }) => name);
  return added.length === 0
    ? []
    : [`${state === 'planned' ? 'Gets' : 'Got'} an entry in "workspaces" of the root package.json: ${namesOf(added)}`];
}

/** Renders removed files. The same removal in several packages is rendered once. */
function renderCleanUp({ packages, state }: MigrateResult): string[] {
  const removals = new Map<string, { readonly path: string; readonly reason: string; readonly from: string[] }>();
  for (const { name, cleanUp } of packages) {
    for (const { path, reason } of cleanUp) {
      const known = removals.get(`${path}\0${reason}`) ?? { path, reason, from: [] };
      known.from.push(name);
      removals.set(`${path}\0${reason}`, known);
    }
  }
  return [...removals.values()].map(
    ({ path, reason, from }) => `${state === 'planned' ? 'Removes' : 'Removed'} ${path} from ${namesOf(from)}: ${reason}`,
  );
}

const FEW_LEFT_OUT = 4;

function renderLeftOut(result: MigrateResult): string[] {
  const before = result.leftOut.filter(({ code }) => code === 'ALREADY_MIGRATED');
  const isLong = before.length > FEW_LEFT_OUT;
  const rest = isLong ? result.leftOut.filter(({ code }) => code !== 'ALREADY_MIGRATED') : result.leftOut;
  return [
    ...(isLong ? ['', `Imported before: ${before.length}; "migrate-repo status" shows them.`] : []),
    ...(rest.length === 0 ? [] : ['', `Left out: ${rest.length}`]),
    ...rest.map((one) => `  ${one.name}: ${one.message} [${one.code}]${one.hint === null ? '' : `\n    hint: ${one.hint}`}`),
  ];
}

function figures({ proof }: PackageResult): string[] {
  return proof === null ? ['', '', '', '', ''] : [proof.commits, proof.merges, proof.authors, proof.tags, proof.method].map(String);
}

function proofSentence(result: MigrateResult): string {
  const commits = result.packages.reduce((sum, one) => sum + (one.proof?.commits ?? 0), 0);
  return `Verified ${countOf(commits, 'commit')}.`;
}
