import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import type { SideChange } from '../report/comparison-details.js';
import type { TrendPoint } from '../report/details.js';
import type { Migration } from '../report/migration.js';
import { startOfWeek, WEEK, weekOf } from '../report/question.js';
import type { ReportRow } from '../report/report.js';
import type { SideFigures, SideQuestion } from '../report/side.js';
import type { ComparisonPage } from './html/comparison-page.js';
import type { PageContent } from './html/page.js';

const HOUR = 3600e6;
const UNTIL = startOfWeek(weekOf((Date.UTC(2026, 5, 1) * 1000) as Micros));
const WEEKS = 30;

/**
 * A report with everything that a page can show: weeks with and without figures, groups with many and with few changes, a migration, and
 * names that contain code.
 */
export function pageContent(): PageContent {
  const since = (UNTIL - WEEKS * WEEK) as Micros;
  const lead = { ready: 'merged', until: 'published', channels: new Set(['latest', '<b>next</b>']) } as const;
  return {
    report: {
      question: { lead, by: 'package', weeks: 6, since, until: UNTIL, actor: 'all' },
      rows: [
        row('@acme/ui', 120),
        row('<img src=x onerror=alert(1)>', 40),
        row('@acme/a-name-that-is-much-longer-than-any-sensible-name-of-a-package', 12),
        row('@acme/few', 4),
      ],
      left: 0,
      waiting: 3,
      unapproved: 0,
      unknownOpen: 0,
      elsewhere: undefined,
    },
    details: {
      trend: Array.from({ length: WEEKS }, (_, at) => point(at)),
      previous: { p50: 11.5 * HOUR },
      repos: ['acme/<script>'],
      withWaiting: undefined,
      single: [],
      unknownOpen: 0,
      waterfall: {
        n: 24,
        stages: [
          { stage: 'post-merge-tests', whose: 'package', length: 0.5 * HOUR, atLeast: 0 },
          { stage: 'publish-wait', whose: 'package', length: 9.4 * HOUR, atLeast: 0 },
          { stage: 'publish', whose: 'package', length: 0.1 * HOUR, atLeast: 0 },
        ],
      },
      slowest: ['https://host.example/pull/7', 'javascript:alert(1)', undefined].map((url, at) => ({
        repo: 'acme/<script>',
        change: `${at}`.repeat(40),
        url,
        package: '@acme/ui',
        release: '1.0.0"',
        endedAt: (UNTIL - at * HOUR) as Micros,
        total: (90 - at) * HOUR,
        atLeast: 0,
      })),
    },
    subjects: new Map([['0'.repeat(40), 'Fix <b>it</b> | all (#7)']]),
    migrations: [migration('@acme/ui', 12), migration('<b>bold</b>', 5), migration('@acme/a', 4), migration('@acme/b', 4)],
    generator: 'commit-to-publish 0.0.0',
  };
}

/** A report of few changes: single changes, and no percentile. */
export function fewContent(): PageContent {
  const content = pageContent();
  const { trend } = content.details;
  const rows = [1, 4].map((n) => row(`@acme/few-${n}`, n));
  const single = [2, 9, 15, 16, 28].map((at) => ({
    endedAt: (UNTIL - (WEEKS - at) * WEEK - 30 * HOUR) as Micros,
    total: (at + 1) * HOUR,
    atLeast: 0,
  }));
  const nothing = { p50: undefined, p90: undefined };
  return {
    ...content,
    report: { ...content.report, rows, waiting: 1 },
    details: {
      ...content.details,
      trend: trend.map((point, at) => ({ ...point, ...nothing, n: at % 4 })),
      single,
      waterfall: undefined,
      unknownOpen: 0,
      slowest: content.details.slowest.slice(0, 1),
    },
  };
}

/** A report of a large company: 70 packages, most with few changes, that moved in one after the other. */
export function manyContent(): PageContent {
  const content = pageContent();
  const rows = Array.from({ length: 70 }, (_, at) => row(`@acme/package-${at}`, at < 3 ? 50 + at : at < 9 ? 12 + at : at % 9));
  const migrations = Array.from({ length: 28 }, (_, at) => migration(`@acme/package-${at}`, 25 - Math.floor(at / 4) * 3));
  return { ...content, migrations, report: { ...content.report, rows } };
}

/** A report without changes. */
export function emptyContent(): PageContent {
  const content = pageContent();
  const elsewhere = { n: 0, first: undefined, last: undefined, channels: [{ channel: '<i>beta</i>', n: 3 }] };
  return {
    ...content,
    report: { ...content.report, rows: [], waiting: 0, elsewhere },
    details: { trend: [], previous: {}, repos: [], withWaiting: undefined, single: [], waterfall: undefined, unknownOpen: 0, slowest: [] },
  };
}

function migration(name: string, weeksAgo: number): Migration {
  const landing = String(weeksAgo).padStart(40, '0') as CommitId;
  const source = `https://host.example/${name}`;
  return { package: name, at: (UNTIL - weeksAgo * WEEK + 30 * HOUR) as Micros, merge: landing, landing, source };
}

/** Figures whose P90 is far beyond the one without waiting changes. */
const WITH_WAITING: ReportRow['withWaiting'] = {
  n: 124,
  waiting: 4,
  p50: { value: 9.2 * HOUR, isBeyond: false },
  p90: { value: 100 * HOUR, isBeyond: true },
};

function row(group: string, n: number): ReportRow {
  const figure = (hours: number): ReportRow['p50'] => ({
    value: hours * HOUR,
    interval: { low: 0.8 * hours * HOUR, high: 1.3 * hours * HOUR },
  });
  const values = n < 10 ? Array.from({ length: n }, (_, at) => (at + 1) * 7 * HOUR) : [];
  return {
    group,
    n,
    atLeast: 0,
    releases: 9,
    coverage: 0.97,
    withWaiting: n === 120 ? WITH_WAITING : undefined,
    p50: n < 10 ? undefined : figure(9),
    p90: n < 36 ? undefined : figure(60),
    values,
    bounds: values.map(() => false),
    points: Array.from({ length: WEEKS }, (_, at) => {
      const { endsAt, p50, p90 } = point(at);
      return { endsAt, n, atLeast: 0, p50: n < 10 ? undefined : p50?.value, p90: n < 36 ? undefined : p90?.value };
    }),
  };
}

/** Returns a point of the trend. Some weeks have too few changes for a P90, and one has none. */
function point(at: number): TrendPoint {
  const endsAt = (UNTIL - (WEEKS - 1 - at) * WEEK) as Micros;
  const n = at === 11 ? 0 : at % 7 === 3 ? 20 : 60 + at;
  const [p50, p90] = [(12 - at / 4) * HOUR, (80 - 2 * at) * HOUR];
  const known = n >= 36;
  return {
    endsAt,
    n,
    atLeast: 0,
    p50: n === 0 ? undefined : { value: p50, interval: { low: 0.7 * p50, high: 1.1 * p50 } },
    p90: known ? { value: p90, interval: { low: 0.8 * p90, high: 1.4 * p90 } } : undefined,
  };
}

/**
 * A comparison with everything that a page can show: a shorter P50, a P90 without a claim, and names that contain code. `n`: changes of
 * each side.
 */
export function comparisonPage(n = 60): ComparisonPage {
  const DAY = 24 * HOUR;
  const span = 26 * WEEK;
  const side = (until: SideQuestion['lead']['until'], since: number, repo: string): SideQuestion => ({
    lead: { ready: 'merged', until, channels: new Set(['latest']) },
    ...{ since: since as Micros, until: (since + span) as Micros, repos: [repo], packages: ['@acme/ui'] },
  });
  const figures = (releases: number, mean: number, upgrades: number): SideFigures => ({
    ...{ n, releases, atLeast: 0, coverage: 1, reached: undefined, upgrades: { n: upgrades, perMonth: upgrades / 6 } },
    stages: [
      { stage: 'publish-wait', whose: 'package', mean, atLeast: 0 },
      ...(upgrades > 0 ? [{ stage: 'upgrade-merge', whose: 'consumer', mean, atLeast: 0 } as const] : []),
    ],
  });
  const changes = (since: number, length: number): readonly SideChange[] =>
    Array.from({ length: n }, (_, at) => ({
      repo: 'acme/<script>',
      change: at.toString(16).padStart(40, '0'),
      package: at % 7 === 0 ? '<img src=x onerror=alert(1)>' : '@acme/ui',
      url: at % 3 === 0 ? 'javascript:alert(1)' : 'https://host.example/pull/7',
      release: `1.${at}.0`,
      endedAt: (since + (at * span) / n) as Micros,
      atLeast: 0,
      total: length * (0.2 + ((at * 7919) % 100) / 50),
    }));
  const moved = UNTIL - span;
  return {
    comparison: {
      question: { before: side('released', moved - span, 'acme/ui'), after: side('published', moved, 'acme/mono') },
      before: figures(3, 2 * DAY, 198),
      after: figures(12, DAY, 0),
      p50: { difference: { before: 5.5 * DAY, after: DAY, change: -0.82, interval: { low: -0.9, high: -0.6 } }, verdict: 'shorter' },
      p90: { difference: { before: 8.8 * DAY, after: 2 * DAY, change: -0.77, interval: undefined }, verdict: 'too few' },
      upgrades: { gonePerMonth: 33, chance: 0.001, verdict: 'fewer' },
      predicted: undefined,
    },
    details: {
      before: changes(moved - span, 5.5 * DAY),
      after: changes(moved, DAY),
      subjects: new Map(Array.from({ length: n }, (_, at) => [at.toString(16).padStart(40, '0'), 'Fix <b>it</b>'])),
    },
    move: { packages: ['@acme/ui'], at: moved as Micros, landing: '1'.repeat(40) as CommitId, sources: ['https://host.example/acme/ui'] },
    generator: 'commit-to-publish 1.2.0',
  };
}
