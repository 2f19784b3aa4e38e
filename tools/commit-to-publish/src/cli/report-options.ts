import { ToolError } from '@tributary/model/errors';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Instant } from '@tributary/model/time';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Micros } from '../model/event.js';
import type { CountedChanges, LeadTimeQuestion } from '../model/lead-time.js';
import { formatDay } from '../render/times.js';
import { type ReportQuestion, startOfWeek, weekOf } from '../report/question.js';
import { SCREEN } from '../report/top-rows.js';
import { addList, ENDS, type End, startOfDay } from './options.js';

export interface LeadOptions {
  readonly channels?: string;
  readonly ready?: LeadTimeQuestion['ready'];
  readonly to: End;
}

export interface ChangesOption {
  readonly changes: CountedChanges;
}

export interface ReportOptions extends LeadOptions, ChangesOption {
  readonly since?: Micros;
  readonly until?: Micros;
  readonly window?: number;
  readonly actor: 'person' | 'bot' | 'all';
}

/** The options that choose what is shown. */
export interface ShownOptions {
  readonly package: readonly string[];
  readonly repo: readonly string[];
  readonly top?: number;
}

export function addShownOptions(command: Command): Command {
  return command
    .option('--package <name>', 'only this package; repeatable', addList, [])
    .option('--repo <name>', 'only this repository; repeatable', addList, [])
    .option('--top <count>', `rows to show (default: ${SCREEN} as text, otherwise all)`, readCount);
}

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a number of rows, such as 20.');
  return Number(text);
}

export const CHANNELS = [
  '--channels <names>',
  'publications to count: dist-tags or other channels of the record, comma-separated',
] as const;

export function readyOption(): Option {
  return new Option('--ready <moment>', 'start of the lead time (default: merged, or the value in tributary.json)').choices([
    'merged',
    'approved',
  ]);
}

export function changesOption(): Option {
  return new Option('--changes <which>', 'published: only changes that touch a published file, so not tests alone; all: every change')
    .choices(['published', 'all'])
    .default('published');
}

/** Adds the options that define a lead time. */
export function addLeadOptions(command: Command): Command {
  return command
    .option(...CHANNELS)
    .addOption(readyOption())
    .addOption(new Option('--to <end>', 'end of the lead time').choices(ENDS).default('published'));
}

/** Adds the options that define a lead time and the changes to measure. */
export function addReportOptions(command: Command): Command {
  return addLeadOptions(command)
    .option('--since <date>', 'only changes that ended on or after this day, such as 2026-01-05', readDate)
    .option('--until <date>', 'only changes that ended before this day (default: now)', readDate)
    .addOption(changesOption())
    .addOption(new Option('--actor <who>', 'whose changes').choices(['person', 'bot', 'all']).default('all'));
}

const STANDARD_WEEKS = 26;

const STANDARD_WINDOW = 6;

/**
 * Returns the question of a report. Options override `config`. Throws `USAGE`.
 * The weeks of a chart are whole: the last one ends with the Monday after `until`. What counts ends where the options say. With `since`
 * alone, a figure covers all its weeks.
 */
export function readReportRequest(
  options: ReportOptions,
  { now, config }: { readonly now: Instant; readonly config: PublishConfig },
): Omit<ReportQuestion, 'by'> {
  const lead = { ...readLead(options, config), changes: options.changes };
  const { since: earliest, until: before = (now * 1000) as Micros, actor } = options;
  if (earliest !== undefined && options.until === undefined && earliest >= before)
    throw new ToolError({
      code: 'USAGE',
      message: `--since ${formatDay(earliest)} is in the future.`,
      hint: 'Give a past day, such as 2026-01-05.',
    });
  checkTime(earliest ?? (0 as Micros), before);
  const until = startOfWeek(weekOf((before - 1) as Micros) + 1);
  const since = startOfWeek(earliest === undefined ? weekOf(until) - STANDARD_WEEKS : weekOf(earliest));
  const weeks = options.window ?? (earliest === undefined ? STANDARD_WINDOW : weekOf(until) - weekOf(since));
  return { lead, weeks, since, until, earliest, before, actor };
}

/** Returns the definition of lead time. Options override `config`. Throws `USAGE`. */
export function readLead({ channels, ready, to }: LeadOptions, config: PublishConfig): LeadTimeQuestion {
  return { ready: ready ?? config.ready, until: to, channels: readChannels(channels, config) };
}

/** Throws `USAGE` if no channel is named, because figures differ by up to ten times between channels. */
export function readChannels(names: string | undefined, config: PublishConfig): ReadonlySet<string> {
  const channels = names === undefined ? config.channels : names.split(',').filter((name) => name !== '');
  if (channels.length === 0)
    throw new ToolError({
      code: 'USAGE',
      message: 'The publications to count are not given.',
      hint: 'Give them with --channels latest, --channels latest,next, or "publish.channels" in tributary.json. This choice can change a figure tenfold.',
    });
  return new Set(channels);
}

/** Returns the first moment of a day (UTC). */
export function readDate(text: string): Micros {
  const time = startOfDay(text);
  if (time === undefined) throw new InvalidArgumentError('Give a date, such as 2026-01-05.');
  return time;
}

/** Throws `USAGE` if the period ends before it begins. */
export function checkTime(since: Micros, until: Micros): void {
  if (since >= until)
    throw new ToolError({ code: 'USAGE', message: '--since is not before --until.', hint: 'Both are dates, such as 2026-01-05.' });
}
