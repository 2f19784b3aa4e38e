import type { Micros } from '../../model/event.js';
import type { TrendPoint } from '../../report/details.js';
import { startOfWeek, WEEK, weekOf } from '../../report/question.js';
import type { ReportRow } from '../../report/report.js';
import type { PageContent } from './page.js';

const HOUR = 3600e6;
const UNTIL = startOfWeek(weekOf((Date.UTC(2026, 5, 1) * 1000) as Micros));
const WEEKS = 30;

/** A report with all that a page can show: weeks with and without figures, groups with many and with few changes, a migration, and names that are code. */
export function pageContent(): PageContent {
  const since = (UNTIL - WEEKS * WEEK) as Micros;
  const lead = { ready: 'merged', until: 'published', channels: new Set(['latest', '<b>next</b>']) } as const;
  return {
    report: {
      question: { lead, by: 'package', weeks: 6, since, until: UNTIL, method: 'linear', actor: 'all' },
      rows: [
        row('@acme/ui', 120),
        row('<img src=x onerror=alert(1)>', 40),
        row('@acme/a-name-that-is-much-longer-than-any-sensible-name-of-a-package', 12),
        row('@acme/few', 4),
      ],
      waiting: 3,
    },
    details: {
      trend: Array.from({ length: WEEKS }, (_, at) => point(at)),
      waterfall: {
        n: 24,
        stages: [
          { stage: 'post-merge-tests', whose: 'package', length: 0.5 * HOUR },
          { stage: 'publish-wait', whose: 'package', length: 9 * HOUR },
          { stage: 'publish', whose: 'package', length: 0.1 * HOUR },
        ],
      },
      slowest: ['https://host.example/pull/7', 'javascript:alert(1)', undefined].map((url, at) => ({
        ...{ repo: 'acme/<script>', change: `${at}`.repeat(40), url, package: '@acme/ui', release: '1.0.0"' },
        ...{ endedAt: (UNTIL - at * HOUR) as Micros, total: (90 - at) * HOUR },
      })),
    },
    migrations: [{ name: '@acme/ui', at: (UNTIL - 12 * WEEK) as Micros }],
    generator: 'commit-to-publish 0.0.0',
  };
}

function row(group: string, n: number): ReportRow {
  const figure = (hours: number): ReportRow['p50'] => ({
    value: hours * HOUR,
    interval: { low: 0.8 * hours * HOUR, high: 1.3 * hours * HOUR },
  });
  const values = n < 10 ? [HOUR, 2 * HOUR] : [];
  return {
    group,
    n,
    releases: 9,
    coverage: 0.97,
    p50: n < 10 ? undefined : figure(9),
    p90: n < 36 ? undefined : figure(60),
    values,
    points: [],
  };
}

/** In some weeks too little happens for a P90, in one nothing. */
function point(at: number): TrendPoint {
  const endsAt = (UNTIL - (WEEKS - 1 - at) * WEEK) as Micros;
  const n = at === 11 ? 0 : at % 7 === 3 ? 20 : 60 + at;
  const [p50, p90] = [(12 - at / 4) * HOUR, (80 - 2 * at) * HOUR];
  const known = n >= 36;
  return {
    endsAt,
    n,
    p50: n === 0 ? undefined : p50,
    p90: known ? p90 : undefined,
    p90Interval: known ? { low: 0.8 * p90, high: 1.4 * p90 } : undefined,
  };
}
