import { cutMiddle } from '@tributary/terminal/cut';
import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { ChosenMigration } from '../report/choose-migration.js';
import type { ReportDetails } from '../report/details.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { listNames } from '../report/list-names.js';
import { type Migration, movesIn } from '../report/migration.js';
import { type ReportQuestion, timeOfFigures } from '../report/question.js';
import type { Elsewhere, Report, ReportRow } from '../report/report.js';
import { figuresThatDiffer } from '../report/with-waiting.js';
import { formatDay, formatLength } from './times.js';

/** Formats text from others: unchanged, or escaped for the output format. */
export type Quote = (text: string) => string;

/** Describes in sentences what a report measures. */
export function describeQuestion(question: ReportQuestion, quote: Quote = unchanged): string {
  const { lead, weeks, earliest, actor } = question;
  const { from, to } = timeOfFigures(question);
  const time =
    from === earliest
      ? `from ${formatDay(from)} to ${formatDay(to)}`
      : `the ${weeks === 1 ? 'week' : `${weeks} weeks`} up to ${formatDay(to)}`;
  const who = actor === 'all' ? '' : `, changes of ${actor === 'bot' ? 'bots' : 'people'} only`;
  return `${describeLead(lead)}: ${time}. ${describeChannels(lead, quote)}${who}.${describeChanges(lead)} Percentiles: linear between two values.`;
}

/** Returns the start and the end of the lead times. */
export function describeLead({ ready, until }: LeadTimeQuestion): string {
  return `From ${ready} to ${{ published: 'published', upgraded: "the consumer's upgrade", released: "the consumer's release" }[until]}`;
}

/** Returns which changes are excluded, as the end of a paragraph; empty for none. */
function describeChanges({ changes }: LeadTimeQuestion): string {
  return changes === 'published' ? ' Changes that touch no published file are left out.' : '';
}

/** Lists the channels, because a figure means nothing without them. */
export function describeChannels({ channels }: LeadTimeQuestion, quote: Quote): string {
  return `Publications: ${[...channels].map(quote).join(', ')}`;
}

/** Returns what a reader has to know beside the rows of a report. */
export function describeRows(report: Report, migrations: readonly Migration[], quote: Quote = unchanged): readonly string[] {
  const { question, rows, waiting, unapproved, unknownOpen } = report;
  return [
    describeLeft(report),
    describeFew(rows),
    describeAtLeast(rows, quote),
    describeMigrations(migrations, question, quote),
    describeWaiting(waiting),
    describeBias(rows, quote),
    describeUnapproved(unapproved),
    describeUnknownOpen(unknownOpen, NOT_COUNTED),
  ].filter((sentence) => sentence !== '');
}

/** Describes changes that are in no figure; empty for none. */
function describeWaiting(waiting: number): string {
  return waiting === 0 ? '' : `${stillWaiting(waiting)}: figures of what arrived do not count them.`;
}

/**
 * Returns which figures with waiting changes differ by more than 10 % from the plain ones; empty for none. They also count other changes,
 * so waiting is not the only reason.
 */
export function describeBias(rows: readonly ReportRow[], quote: Quote = unchanged): string {
  const biased = rows.flatMap((row) => {
    const names = figuresThatDiffer(row);
    return names.length === 0 ? [] : [`${quote(row.group)} (${names.join(', ')})`];
  });
  if (biased.length === 0) return '';
  return `With waiting, these figures of the changes that were ready differ by more than a tenth from those that arrived: ${listNames(biased, SHOWN)}.`;
}

function stillWaiting(waiting: number): string {
  return `${waiting} of the changes of these weeks ${hasOrHave(waiting)} not arrived yet`;
}

/** Describes figures that are lower bounds; empty for none. */
export function describeAtLeast(rows: readonly Pick<ReportRow, 'atLeast' | 'group'>[], quote: Quote = unchanged): string {
  const names = rows.flatMap(({ group, atLeast }) => (atLeast === 0 ? [] : [`${quote(group)} (${atLeast})`]));
  if (names.length === 0) return '';
  return `At least: these figures have changes whose release has only a lightweight tag, no later time than the change, or no place in an incomplete registry: ${listNames(names, SHOWN)}. For the true times, collect with --registry, or annotate the tags.`;
}

/** Counts the rows that are left out; empty for none. */
export function describeLeft({ rows, left }: Pick<Report, 'rows' | 'left'>): string {
  return left === 0 ? '' : `${left} more ${left === 1 ? 'row is' : 'rows are'} not shown. All: --top ${rows.length + left}.`;
}

/** What `describeUnknownOpen` means for rows of stages. */
export const NOT_COUNTED = 'upgrade-open does not count them';

/** Describes changes whose publication has only a lower bound, where an upgrade begins with it; empty for none. */
export function describeUnknownOpen(count: number, effect: string): string {
  if (count === 0) return '';
  return `For ${count} ${count === 1 ? 'change' : 'changes'}, the time until the upgrade opened is unknown, because the publication has no time of its own: ${effect}.`;
}

/** Describes changes with an uncertain start; empty for none. */
function describeUnapproved(unapproved: number): string {
  if (unapproved === 0) return '';
  const whose = unapproved === 1 ? '1 of the changes has no approval' : `${unapproved} of the changes have no approval`;
  return `${whose} that is known: counted from when it could have been merged (opened, or last pushed to), and without a pull request from its merge.`;
}

/**
 * Returns the first sentence of a page. Where those that wait make a figure longer, it is of all that were ready; it always says how many
 * wait.
 */
export function describeReport({ question }: Report, details: Pick<ReportDetails, 'trend' | 'withWaiting'>): string {
  const { trend, withWaiting } = details;
  const { n } = trend.at(-1) ?? { n: 0 };
  const { from, to } = timeOfFigures(question);
  const time = `from ${formatDay(from)} to ${formatDay(to)}`;
  const { p50, p90, isOfReady } = headlineFigures(details);
  const waiting =
    withWaiting === undefined
      ? ''
      : `; ${withWaiting.waiting} of ${withWaiting.n} that were ready ${withWaiting.waiting === 1 ? 'is' : 'are'} still waiting`;
  if (p50 === undefined)
    return `${describeLead(question.lead)}: ${n} ${n === 1 ? 'change' : 'changes'} ${time}, too few to say how long they take${waiting}.`;
  const whose = isOfReady ? `the ${withWaiting?.n ?? n} changes that were ready` : `the ${n} changes that arrived`;
  const tail = p90 === undefined ? '' : `, and ${p90.startsWith('at most') ? 'nine of ten' : 'the slowest tenth'} ${p90}`;
  return `${describeLead(question.lead)}, half of ${whose} ${time} took ${p50}${tail}${waiting}.`;
}

/** The figures of all changes together, with the word before them. */
interface HeadlineFigures {
  readonly p50: string | undefined;
  readonly p90: string | undefined;
  /** Whether they are of the changes that were ready, with those that wait; otherwise of those that arrived. */
  readonly isOfReady: boolean;
}

/** Returns the figures that a page and a summary begin with: with waiting changes wherever that tells another story. */
export function headlineFigures({ trend, withWaiting }: Pick<ReportDetails, 'trend' | 'withWaiting'>): HeadlineFigures {
  const last = trend.at(-1);
  const isOfReady = figuresThatDiffer({ withWaiting, p50: last?.p50, p90: last?.p90 }).length > 0;
  // Those that were ready and arrived are among these.
  const isBound = (last?.atLeast ?? 0) > 0;
  const written = (key: 'p50' | 'p90'): string | undefined => {
    const figure = isOfReady ? withWaiting?.[key] : last?.[key];
    if (figure === undefined) return undefined;
    if ('isBeyond' in figure && figure.isBeyond) return `more than ${formatLength(figure.value)}`;
    return isBound
      ? figure.value === 0
        ? 'an unknown time'
        : `at least ${formatLength(figure.value)}`
      : `at most ${formatLength(figure.value)}`;
  };
  return { p50: written('p50'), p90: written('p90'), isOfReady };
}

/** Returns which rows have too few changes for a figure; empty if none has. */
export function describeFew(rows: readonly Pick<ReportRow, 'n'>[]): string {
  const none = rows.filter(({ n }) => n === 0).length;
  const few = rows.filter(({ n }) => n > 0 && n < LEAST_FOR_P50).length;
  const fewer = rows.filter(({ n }) => n >= LEAST_FOR_P50 && n < LEAST_FOR_P90).length;
  const each = few === 1 ? 'each is' : 'each of theirs is';
  const noP90 = `fewer than ${LEAST_FOR_P90}${few === 0 ? ' changes' : ''}, and no P90.`;
  const whose = few === 0 ? rowsOf(fewer, rows.length) : `Of the others ${fewer} ${hasOrHave(fewer)}`;
  return [
    ...(few === 0 ? [] : [`${rowsOf(few, rows.length)} fewer than ${LEAST_FOR_P50} changes: ${each} shown by itself.`]),
    ...(fewer === 0 ? [] : [`${whose} ${noP90}`]),
    ...(none === 0 ? [] : [`${rowsOf(none, rows.length)} no change that arrived in these weeks.`]),
  ].join(' ');
}

function rowsOf(count: number, rows: number): string {
  return rows === 1 ? 'The one row has' : `${count} of ${rows} rows ${hasOrHave(count)}`;
}

function hasOrHave(count: number): string {
  return count === 1 ? 'has' : 'have';
}

/** Returns when packages were imported, within the time of a report; empty for none. */
export function describeMigrations(migrations: readonly Migration[], question: ReportQuestion, quote: Quote = unchanged): string {
  const moves = movesIn(migrations, question);
  if (moves.length === 0) return '';
  const described = moves.slice(0, SHOWN).map(({ at, packages }) => {
    return `${formatDay(at)} ${listSome(packages, quote)}`;
  });
  const more = moves.length > SHOWN ? [`and ${moves.length - SHOWN} times more`] : [];
  return `Moved into the monorepo in the weeks shown: ${[...described, ...more].join('; ')}.`;
}

const SHOWN = 4;

const DAY = 24 * 3600e6;

/** Describes the migration of a comparison. */
export function describeMove({ packages, at, landing, sources }: ChosenMigration, quote: Quote): string {
  const from = sources.length === 0 ? '' : `, from ${listSome(sources, quote)}`;
  return `${listSome(packages, quote)} moved in on ${formatDay(at)}, with ${quote(landing.slice(0, 12))}${from}.`;
}

/** Returns why a report has no rows, and which options would find some. */
export function describeNothing({ question, elsewhere, waiting }: Report, quote: Quote = unchanged): string {
  return [
    'Nothing has arrived in this time.',
    waiting === 0 ? '' : `${stillWaiting(waiting)}.`,
    elsewhere === undefined ? '' : describeElsewhere(elsewhere, question, quote),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeElsewhere({ n, first, last, channels }: Elsewhere, { lead }: ReportQuestion, quote: Quote): string {
  if (first !== undefined && last !== undefined) {
    const changes = n === 1 ? 'The one change' : `The ${n} changes`;
    const [from, to] = [formatDay(first), formatDay(last)];
    return `${changes} of the record arrived ${from === to ? `on ${from}` : `from ${from} to ${to}`}. Show them: --since ${from} --until ${formatDay((last + DAY) as Micros)}.`;
  }
  const counted = channels.filter(({ channel }) => lead.channels.has(channel));
  if (counted.length > 0)
    return 'No change of the record has arrived there at any time; "commit-to-publish explain" says of one how far it has come.';
  const known = channels.slice(0, SHOWN).map(({ channel, n: count }) => `${quote(channel)} (${count})`);
  return known.length === 0 ? 'The record has no publications yet.' : `The record has other publications: ${known.join(', ')}.`;
}

/** Returns sentences on the limits of lead times. */
export function describeLimits({ question, rows, waiting, unapproved }: Report, quote: Quote = unchanged): readonly string[] {
  return [
    ...(unapproved === 0 ? [] : [describeUnapproved(unapproved)]),
    `A change counts in the week in which it arrived, so a point of the past never moves. ${waiting === 0 && rows.length > 0 ? 'All changes of the last weeks have arrived.' : describeWaiting(waiting)}`.trimEnd(),
    `Fewer than ${LEAST_FOR_P50} changes have no percentile, and fewer than ${LEAST_FOR_P90} no P90: too few to say anything about the tenth that takes longest.`,
    'The intervals count releases, because the changes of one release arrive together. Where there are too few releases, no interval is shown.',
    'P50 and P90 are of the whole lead time of each change. Those of stages cannot be added. In figures of several packages, a change counts once, when the last of its packages is out.',
    `How often somebody publishes is part of the time. Only these publications count: ${[...question.lead.channels].map(quote).join(', ')}.`,
    'The figures are about changes, not people. By design, the report does not show who made a change.',
  ];
}

/** Returns the first four names, and how many more there are. */
export function listSome(names: readonly string[], quote: Quote): string {
  return listNames(names.map(quote), SHOWN);
}

/** For text that needs no cutting. */
export function unchanged(text: string): string {
  return text;
}

/** Returns a function for a terminal that cuts the middle of names longer than half a line. */
export function shortOn({ width }: { readonly width: number }): Quote {
  return (text) => cutMiddle(text, Math.max(LEAST_NAME, Math.floor(width / 2)));
}

const LEAST_NAME = 20;
