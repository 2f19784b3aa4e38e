import { formatTable } from '@tributary/terminal/table';
import { isReverted } from '../collect/apart.js';
import { isDeparture } from '../collect/departures.js';
import type { Event, Micros } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion, StageTime, Unfinished } from '../model/lead-time.js';
import type { ExplainedChange, ExplainedTarget } from '../report/explanation.js';
import { knowledgeOf } from '../report/knowledge.js';
import { formatBound } from './figures.js';
import { nameOfStage } from './names.js';
import { describeChannels, describeLead, listSome, type Quote, shortOn, unchanged } from './sentences.js';
import type { TextStyle } from './text-style.js';
import { formatMoment } from './times.js';

/** Renders a change for a terminal: for each package its lead time, and every stage with its sources and the number of its events. */
export function renderChange({ repo, change, targets, lead }: ExplainedChange, style: TextStyle, top = targets.length): string {
  const url = targets.flatMap(({ events }) => events).find((event) => event.url !== undefined)?.url;
  const short = shortOn(style);
  const others = [...new Set(targets.filter(isUntouched).map((target) => target.package))];
  const touched = targets.filter((target) => !isUntouched(target));
  return [
    `${style.bold(change.length > ID ? short(change) : change)} of ${short(repo)}${url === undefined ? '' : ` (${url})`}\n${describeLead(lead)}. ${describeChannels(lead, short)}.`,
    ...renderTargets(touched.slice(0, top), lead, style),
    ...(touched.length <= top ? [] : [`${touched.length - top} more are not shown. All: --top ${touched.length}; one: --package <name>.`]),
    ...(others.length === 0 ? [] : [`Not touched by this change, so their events are not counted: ${listSome(others, short)}.`]),
  ].join('\n\n');
}

/** Commit ids are never shortened, because people copy them. */
const ID = 64;

function isUntouched({ leadTime }: ExplainedTarget): boolean {
  return leadTime === 'not touched';
}

/** Packages with the same stages, such as all of one release, share a table. */
function renderTargets(targets: readonly ExplainedTarget[], lead: LeadTimeQuestion, style: TextStyle): readonly string[] {
  const rendered = targets.map((target) => {
    const reached = typeof target.leadTime === 'string' ? target.soFar : target.leadTime;
    return { title: renderTitle(target, lead, style), stages: reached && stageTable(reached, target.evidence, style) };
  });
  return [...new Set(rendered.map(({ stages }) => stages))].map((stages) => {
    const titles = rendered.filter((one) => one.stages === stages).map(({ title }) => title);
    return [...titles, ...(stages === undefined ? [] : [stages])].join('\n');
  });
}

function renderTitle(target: ExplainedTarget, lead: LeadTimeQuestion, style: TextStyle): string {
  const { package: name, consumer, leadTime, soFar, events, evidence } = target;
  const short = shortOn(style);
  const title = style.bold(consumer === undefined ? short(name) : `${short(name)}, in ${short(consumer)}`);
  if (typeof leadTime !== 'string') return `${title}: ${describeTotal(leadTime, evidence, short)}`;
  if (leadTime === 'not merged' || leadTime === 'not touched')
    return `${title}: no merge is recorded (${events.length} ${events.length === 1 ? 'event' : 'events'} known)`;
  const why = `${title}: ${whyNot(target, leadTime, { ...lead, short })}`;
  if (soFar !== undefined) return `${why}; so far ${describeTotal(soFar, evidence, short)}`;
  return [why, ...mergedWhen(target.mergedAt), ...publishedOn(target.publishedElsewhere, short)].join('; ');
}

/** A publication may exist without being recorded, as on a channel that was never collected. */
const WHY_NOT: Readonly<Record<Exclude<Unfinished, 'not merged'>, string>> = {
  'not published': 'no publication of it is recorded there',
  'not measured': 'in a first publication, one with two tags, one of a release branch, or at a wrong time, which measures nothing',
  'not upgraded': 'no upgrade to it is recorded',
  'not released': 'no release with it is recorded',
};

const BEFORE_MERGE = 'published before the merge: a release branch had it, it has two tags, or a clock was wrong, which measures nothing';

/** What measures nothing has one of three reasons, which the events of the package tell, or else those of the consumer. */
function whyNot(
  { events, mergedAt }: ExplainedTarget,
  why: keyof typeof WHY_NOT,
  { channels, short }: Pick<LeadTimeQuestion, 'channels'> & { readonly short: Quote },
): string {
  const unmeasured = events.filter(({ outcome, channel = '' }) => outcome === 'unmeasured' && channels.has(channel));
  const own = unmeasured.filter(({ consumer }) => consumer === undefined);
  const [first] = own;
  if (why !== 'not measured' || first === undefined) return WHY_NOT[why];
  const reverted = own.find(isReverted);
  if (reverted !== undefined)
    return `reverted ${formatMoment(reverted.endedAt)} (UTC) before a release, or the revert itself: nothing of it came out there`;
  if (own.every(isDeparture))
    return `its package left the repository, or became private, ${formatMoment(first.endedAt)} (UTC) without a release of it, which measures nothing`;
  const early = own.find((event) => mergedAt !== undefined && !isDeparture(event) && event.endedAt < mergedAt);
  return early === undefined ? WHY_NOT[why] : `in ${short(early.release ?? 'a release')}, ${BEFORE_MERGE}`;
}

function mergedWhen(mergedAt: Micros | undefined): readonly string[] {
  return mergedAt === undefined ? [] : [`merged ${formatMoment(mergedAt)} (UTC)`];
}

function publishedOn(publications: readonly Event[], short: Quote): readonly string[] {
  const known = publications.map(({ channel = '', release }) =>
    release === undefined ? short(channel) : `${short(channel)} (${short(release)})`,
  );
  return known.length === 0 ? [] : [`published on ${listSome([...new Set(known)], unchanged)}`];
}

function describeTotal({ total, release, stages }: LeadTime, evidence: readonly Event[], short: Quote): string {
  const isAtLeast = stages.slice(-1).some((last) => knowledgeOf(last, evidence) === 'at least');
  const why = isAtLeast ? ': no certain time of its publication is known, only one before it' : '';
  return `${formatBound(total, isAtLeast ? 1 : 0)}${release === undefined ? '' : `, with ${short(release)}`}${why}`;
}

function stageTable({ stages }: LeadTime, events: readonly Event[], style: TextStyle): string {
  const columns = [
    { title: 'stage' },
    { title: 'took', align: 'right' as const },
    { title: 'until (UTC)' },
    { title: 'known from', shrink: 'end' as const },
  ];
  return formatTable({ columns, rows: stages.map((stage) => cells(stage, events)), styleTitle: style.bold }, style.width);
}

function cells(time: StageTime, events: readonly Event[]): readonly string[] {
  const { stage, whose, endedAt } = time;
  const own = events.filter((event) => event.stage === stage && (event.consumer === undefined) === (whose === 'package'));
  const sources = [
    ...new Set(own.map(({ source, confidence }) => (confidence === 'exact' ? source : `${source} (${confidence.replace('-', ' ')})`))),
  ].join(', ');
  const attempts = own.length > 1 ? `, ${own.length} attempts` : '';
  return [
    nameOfStage({ stage, whose }),
    formatStage(time, events),
    formatMoment(endedAt),
    own.length === 0 ? 'what lies around it' : `${sources}${attempts}`,
  ];
}

function formatStage(time: StageTime, events: readonly Event[]): string {
  const known = knowledgeOf(time, events);
  return formatBound(known === 'unknown' ? undefined : time.endedAt - time.startedAt, known === 'at least' ? 1 : 0);
}
