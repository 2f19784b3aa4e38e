import { formatTable } from '@tributary/terminal/table';
import type { Change, ChangeWay } from '../io/read-change.js';
import type { Event } from '../model/event.js';
import type { StageTime, Unfinished } from '../model/lead-time.js';
import { nameOfStage } from './names.js';
import type { Page } from './report.js';
import { formatLength, formatMoment } from './times.js';

/** A change for a terminal: for each package how long it took, every stage with its source, and how many events stand behind it. */
export function renderChange({ repo, change, ways }: Change, page: Page): string {
  return [`${page.bold(change)} of ${repo}`, ...ways.map((way) => renderWay(way, page))].join('\n\n');
}

function renderWay(way: ChangeWay, page: Page): string {
  const { leadTime, consumer, events } = way;
  const name = consumer === undefined ? way.package : `${way.package}, in ${consumer}`;
  if (typeof leadTime === 'string')
    return `${page.bold(name)}: ${WHY_NOT[leadTime]} (${events.length} ${events.length === 1 ? 'event' : 'events'} known)`;
  const { total, stages, release } = leadTime;
  const columns = [
    { title: 'stage' },
    { title: 'took', align: 'right' as const },
    { title: 'until (UTC)' },
    { title: 'known from', shrink: 'end' as const },
  ];
  const table = formatTable({ columns, rows: stages.map((stage) => cells(stage, events)), styleTitle: page.bold }, page.width);
  return `${page.bold(name)}: ${formatLength(total)}${release === undefined ? '' : `, with ${release}`}\n${table}`;
}

const WHY_NOT: Readonly<Record<Unfinished, string>> = {
  'not merged': 'not merged',
  'not published': 'not published yet',
  'not measured': 'out with a first publication, to which nothing can be measured',
  'not upgraded': 'not upgraded yet',
  'not released': 'not released yet',
};

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
