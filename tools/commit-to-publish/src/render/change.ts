import { formatTable } from '@tributary/terminal/table';
import type { Change, ChangeWay } from '../io/read-change.js';
import type { Event, Micros } from '../model/event.js';
import { type LeadTime, type LeadTimeQuestion, leadTimeOf, type StageTime, type Unfinished } from '../model/lead-time.js';
import { nameOfStage } from './names.js';
import type { Page } from './report.js';
import { asItIs, describeChannels, describeLead, listSome, type Quote, shortOn } from './sentences.js';
import { formatLength, formatMoment } from './times.js';

/** A change for a terminal: for each package how long it took, every stage with its source, and how many events stand behind it. */
export function renderChange({ repo, change, ways, lead }: Change, page: Page): string {
  const url = ways.flatMap(({ events }) => events).find((event) => event.url !== undefined)?.url;
  const short = shortOn(page);
  const others = [...new Set(ways.filter(isUntouched).map((way) => way.package))];
  return [
    `${page.bold(change.length > ID ? short(change) : change)} of ${short(repo)}${url === undefined ? '' : ` (${url})`}\n${describeLead(lead)}. ${describeChannels(lead, short)}.`,
    ...ways.filter((way) => !isUntouched(way)).map((way) => renderWay(way, lead, page)),
    ...(others.length === 0 ? [] : [`Not touched by this change, so that their events count for nothing: ${listSome(others, short)}.`]),
  ].join('\n\n');
}

/** The id of a commit is whole wherever it stands: people copy it. */
const ID = 64;

function isUntouched({ leadTime }: ChangeWay): boolean {
  return leadTime === 'not touched';
}

function renderWay({ package: name, consumer, leadTime, events }: ChangeWay, lead: LeadTimeQuestion, page: Page): string {
  const short = shortOn(page);
  const title = page.bold(consumer === undefined ? short(name) : `${short(name)}, in ${short(consumer)}`);
  if (typeof leadTime !== 'string')
    return `${title}: ${describeTotal(leadTime, short)}\n${stageTable(leadTime, standing(events, lead), page)}`;
  if (leadTime === 'not merged' || leadTime === 'not touched')
    return `${title}: no merge is recorded (${events.length} ${events.length === 1 ? 'event' : 'events'} known)`;
  const soFar = furthest(events, lead);
  if (soFar !== undefined)
    return `${title}: ${WHY_NOT[leadTime]}; so far ${describeTotal(soFar, short)}\n${stageTable(soFar, standing(events, lead), page)}`;
  return [`${title}: ${WHY_NOT[leadTime]}`, ...mergedWhen(events), ...publishedElsewhere(events, lead, short)].join('; ');
}

const WHY_NOT: Readonly<Record<Exclude<Unfinished, 'not merged'>, string>> = {
  'not published': 'not published yet',
  'not measured': 'out with a first publication, to which nothing can be measured',
  'not upgraded': 'not upgraded yet',
  'not released': 'not released yet',
};

/** The way to an end that it has reached, where it has reached one before that which was asked for. */
function furthest(events: readonly Event[], lead: LeadTimeQuestion): LeadTime | undefined {
  const ends = (['upgraded', 'published'] as const).filter((end) => end !== lead.until);
  return ends.map((until) => leadTimeOf(events, { ...lead, until })).find((way): way is LeadTime => typeof way !== 'string');
}

function mergedWhen(events: readonly Event[]): readonly string[] {
  const ends = events.filter(({ stage, consumer }) => stage === 'merge-wait' && consumer === undefined).map(({ endedAt }) => endedAt);
  return ends.length === 0 ? [] : [`merged ${formatMoment(Math.max(...ends) as Micros)} (UTC)`];
}

/** Those that the stages stand on: of publications the first that counts, with the attempts before it that failed. */
function standing(events: readonly Event[], { channels }: LeadTimeQuestion): readonly Event[] {
  const counted = events.filter(({ stage, channel }) => stage === 'publish' && channels.has(channel ?? ''));
  const firstOf = ({ consumer }: Event): number =>
    Math.min(...counted.flatMap((one) => (one.outcome === 'success' && one.consumer === consumer ? [one.endedAt] : [])));
  const leads = (event: Event): boolean =>
    event.outcome === 'success' ? event.endedAt === firstOf(event) : event.outcome !== 'unmeasured' && event.endedAt <= firstOf(event);
  return events.filter((event) => event.stage !== 'publish' || (counted.includes(event) && leads(event)));
}

function isOut(outcome: Event['outcome']): boolean {
  return outcome === 'success' || outcome === 'unmeasured';
}

/** On channels that nobody has asked for. */
function publishedElsewhere(events: readonly Event[], { channels }: LeadTimeQuestion, short: Quote): readonly string[] {
  const known = events.flatMap(({ stage, consumer, outcome, channel, release }) =>
    stage === 'publish' && consumer === undefined && isOut(outcome) && channel !== undefined && !channels.has(channel)
      ? [release === undefined ? short(channel) : `${short(channel)} (${short(release)})`]
      : [],
  );
  return known.length === 0 ? [] : [`published on ${listSome([...new Set(known)], asItIs)}`];
}

function describeTotal({ total, release }: LeadTime, short: Quote): string {
  return `${formatLength(total)}${release === undefined ? '' : `, with ${short(release)}`}`;
}

function stageTable({ stages }: LeadTime, events: readonly Event[], page: Page): string {
  const columns = [
    { title: 'stage' },
    { title: 'took', align: 'right' as const },
    { title: 'until (UTC)' },
    { title: 'known from', shrink: 'end' as const },
  ];
  return formatTable({ columns, rows: stages.map((stage) => cells(stage, events)), styleTitle: page.bold }, page.width);
}

function cells({ stage, whose, startedAt, endedAt }: StageTime, events: readonly Event[]): readonly string[] {
  const own = events.filter((event) => event.stage === stage && (event.consumer === undefined) === (whose === 'package'));
  const sources = [...new Set(own.map(({ source, confidence }) => (confidence === 'exact' ? source : `${source} (derived)`)))].join(', ');
  const attempts = own.length > 1 ? `, ${own.length} attempts` : '';
  return [
    nameOfStage({ stage, whose }),
    formatLength(endedAt - startedAt),
    formatMoment(endedAt),
    own.length === 0 ? 'what lies around it' : `${sources}${attempts}`,
  ];
}
