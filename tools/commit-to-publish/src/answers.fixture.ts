import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import fc from 'fast-check';
import { leadTimeOf } from './engine/lead-time-oracle.fixture.js';
import { stageColumnsOf } from './engine/lead-times.js';
import { ANY_EVENTS, eventNumber } from './model/event.fixture.js';
import type { Event, Micros } from './model/event.js';
import type { LeadTime, LeadTimeQuestion, Unfinished } from './model/lead-time.js';
import { type Ready, STAGES } from './model/stage.js';
import { emptyContent, fewContent, pageContent } from './render/content.fixture.js';
import { changeDocument, comparisonDocument, predictionDocument, reportDocument } from './render/document.js';
import type { ChosenMigration } from './report/choose-migration.js';
import { type ComparedUpgrades, type DifferenceVerdict, judgeUpgrades, type LeadTimeComparison } from './report/comparison.js';
import type { ExplainedChange } from './report/explanation.js';
import { predict } from './report/predict.js';
import type { GroupBy, ReportQuestion } from './report/question.js';
import type { SideData, SideQuestion } from './report/side.js';

// The documents that the commands print with --json, for checks against their schemas. The real code makes them where it is pure.

const READY: Readonly<Record<Ready, true>> = { merged: true, approved: true };
const ENDS: Readonly<Record<LeadTimeQuestion['until'], true>> = { published: true, upgraded: true, released: true };

function keys<Key extends string>(all: Readonly<Record<Key, true>>): readonly Key[] {
  return Object.keys(all) as Key[];
}

/** Reports by every group, for all actors, to every end; with many changes, with few, and with none. */
export function reports(): readonly unknown[] {
  const groups = keys<GroupBy>({ package: true, team: true, repo: true, stage: true });
  const actors = keys<ReportQuestion['actor']>({ person: true, bot: true, all: true });
  const questions: Partial<ReportQuestion>[] = [
    ...groups.map((by) => ({ by })),
    ...actors.map((actor) => ({ actor })),
    ...leads().map((lead) => ({ lead })),
    { earliest: 1 as Micros, before: 2 as Micros },
  ];
  const { report, migrations, details } = pageContent();
  const asked = questions.map((question) =>
    reportDocument({ report: { ...report, question: { ...report.question, ...question } }, migrations, details }),
  );
  const unready = { ...report, rows: report.rows.map((row) => ({ ...row, coverage: undefined })) };
  const alone = { ...report, rows: report.rows.map((row) => ({ ...row, p50: row.p50 && { ...row.p50, interval: undefined } })) };
  const tooFew = { n: 8, waiting: 1, p50: undefined, p90: undefined };
  const waiting = { ...report, rows: report.rows.map((row) => ({ ...row, withWaiting: tooFew })) };
  const empty = emptyContent();
  const late = { ...empty.report, elsewhere: { n: 1, first: 0 as Micros, last: 1 as Micros, channels: [] } };
  return [
    ...asked,
    ...[unready, alone, waiting, late].map((one) => reportDocument({ report: one, migrations: [], details })),
    ...[fewContent(), empty].map(reportDocument),
  ];
}

function leads(): readonly LeadTimeQuestion[] {
  return keys(READY).flatMap((ready) =>
    keys(ENDS).map((until) => ({
      ready,
      until,
      channels: new Set(['latest']),
      ...(ready === 'approved' ? { changes: 'published' as const } : {}),
    })),
  );
}

function sideOf(lead: LeadTimeQuestion): SideQuestion {
  return { lead, since: 0 as Micros, until: 1e12 as Micros, repos: ['acme/ui'], packages: ['@acme/ui'] };
}

/** Returns `n` changes whose stages took a few seconds each. */
function dataOf(lead: LeadTimeQuestion, n: number): SideData {
  const columns = stageColumnsOf(lead);
  const changes = Array.from({ length: n }, (_, at) => ({
    stages: columns.map((__, stage) => (at + stage) * 1e6),
    areBounds: columns.map(() => false),
    cluster: `v${n < 12 ? 0 : at % 20}`,
  }));
  return {
    changes,
    stages: columns.map(({ column }) => column.replaceAll('_', '-')),
    figures: {
      n,
      releases: Math.min(n, 20),
      atLeast: 0,
      coverage: n === 0 ? undefined : 0.9,
      upgrades: { n, perMonth: n / 2 },
      stages:
        n === 0 ? [] : columns.map(({ stage, whose }) => ({ stage, whose, mean: stage === 'upgrade-open' ? undefined : 1e6, atLeast: 0 })),
      reached: n === 0 ? { published: 3, upgraded: 2, released: 0 } : undefined,
    },
  };
}

/** Predictions to every end: with enough changes, with few, with one release and with none, and with named stages. */
export function predictions(): readonly unknown[] {
  const all = leads().flatMap((lead) =>
    (lead.ready === 'merged' ? [0, 5, 11, 40] : [5]).map((n) => ({ lead, n, without: [] as readonly string[] })),
  );
  const [lead] = leads();
  const named = lead === undefined ? [] : [{ lead, n: 40, without: ['publish'] }];
  return [...all, ...named].map(({ lead: asked, n, without }) =>
    predictionDocument(predict(dataOf(asked, n), { side: sideOf(asked), without })),
  );
}

const VERDICTS = keys<DifferenceVerdict>({ shorter: true, longer: true, unclear: true, 'lower bounds': true, 'too few': true });
const UPGRADES = keys<ComparedUpgrades['verdict']>({ fewer: true, more: true, unclear: true, none: true });

/** Comparisons with every verdict and every kind of difference, for a migration and without one. */
export function comparisons(): readonly unknown[] {
  const questions = leads().map((lead) => ({ lead, data: dataOf(lead, lead.until === 'upgraded' ? 0 : 40) }));
  const unknown = { before: 0, after: 1, change: Number.POSITIVE_INFINITY };
  const differences = [
    undefined,
    { before: 2, after: 1, change: -0.5, interval: { low: -0.6, high: -0.4 } },
    { ...unknown, interval: { low: Number.POSITIVE_INFINITY, high: Number.POSITIVE_INFINITY } },
    { ...unknown, change: undefined, interval: undefined },
    { ...unknown, interval: undefined },
  ];
  const move: ChosenMigration = {
    packages: ['@acme/ui'],
    at: 1 as Micros,
    landing: '1'.repeat(40) as CommitId,
    sources: ['https://host.example/acme/ui'],
  };
  return questions.flatMap(({ lead, data }, position) =>
    VERDICTS.map((verdict, at) => {
      const compared = { difference: differences[at], verdict };
      const upgrades = { ...judgeUpgrades({ n: 8, perMonth: 2 }, { n: 0, perMonth: 0 }, 0.01), verdict: UPGRADES[at] ?? 'none' };
      const side = sideOf(lead);
      const comparison: LeadTimeComparison = {
        question: { before: side, after: side },
        before: data.figures,
        after: data.figures,
        p50: compared,
        p90: compared,
        upgrades,
        predicted:
          at % 2 === 0 ? predict(dataOf(lead, [40, 5, 11][position] ?? 5), { side, without: at === 0 ? ['publish'] : [] }) : undefined,
      };
      return comparisonDocument(comparison, at === 0 ? move : undefined);
    }),
  );
}

/** Changes that have arrived, for every stage, and changes that have not. */
export function changes(): readonly unknown[] {
  const explained = [...fc.sample(ANY_EVENTS, { numRuns: 100, seed: 7 }), wholeWay(), wholeWay().slice(0, -1)].flatMap((sampled, at) =>
    leads().map((lead): ExplainedChange => {
      const events = sampled.map((event) => inThisCentury(event, at));
      const leadTime: LeadTime | Unfinished = leadTimeOf(events, lead);
      const consumer = lead.until === 'published' ? undefined : 'app';
      const unused = { soFar: undefined, mergedAt: undefined, evidence: [], publishedElsewhere: [] };
      const own = { package: '@acme/ui', consumer, leadTime, events, ...unused };
      const other = { package: 'other', consumer: undefined, leadTime: 'not touched', events: [], ...unused } as const;
      return { lead, repo: 'acme/ui', change: '#1', targets: [own, other] };
    }),
  );
  return explained.map(changeDocument);
}

/** Returns events of every stage, one after the other, and a release of the consumer as the last one. */
function wholeWay(): readonly Event[] {
  const stages = [...STAGES.map((stage) => ({ stage, isOwn: !stage.startsWith('upgrade') })), { stage: 'publish' as const, isOwn: false }];
  return stages.map(({ stage, isOwn }, at) => ({
    ...eventNumber(at),
    stage,
    change: '#1',
    startedAt: at as Micros,
    endedAt: (at + 1) as Micros,
    recordedAt: at as Micros,
    release: 'v1',
    channel: 'latest',
    ...(isOwn ? {} : { consumer: 'app' }),
  }));
}

/** Moves an event to a time that events may have, and drops the release of every second change. */
function inThisCentury({ release, ...event }: Event, at: number): Event {
  const later = (time: Micros): Micros => (time + 1.6e15) as Micros;
  const times = { startedAt: later(event.startedAt), endedAt: later(event.endedAt), recordedAt: later(event.recordedAt) };
  return { ...event, ...times, ...(release === undefined || at % 2 === 0 ? {} : { release }) };
}

/** What the command line prints for a failure. */
export function failures(): readonly unknown[] {
  const error = new ToolError({ code: 'RECORD_MISSING', message: 'There is no record.', hint: 'Make one.', data: { record: '/x' } });
  return [{ schemaVersion: 1, error }];
}
