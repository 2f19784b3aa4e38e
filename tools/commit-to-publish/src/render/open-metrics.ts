import type { Figure, Report, ReportRow } from '../report/report.js';

/** A family of gauges. */
interface Family {
  readonly name: string;
  readonly help: string;
  readonly unit: 'seconds' | 'ratio' | undefined;
  /** Returns the samples of one row; none if the row lacks the figure. */
  readonly samples: (row: ReportRow) => readonly Sample[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SHARES = [
  ['0.5', 'p50'],
  ['0.9', 'p90'],
] as const;

/** Returns a figure, unless it is a lower bound of no time, which says nothing. */
function knownFigure({ atLeast, ...row }: ReportRow, key: 'p50' | 'p90'): Figure | undefined {
  return atLeast > 0 && row[key]?.value === 0 ? undefined : row[key];
}

const FAMILIES: readonly Family[] = [
  {
    name: 'commit_to_publish_lead_time_seconds',
    help: 'Lead time of changes over the weeks of the report, by percentile.',
    unit: 'seconds',
    samples: (row) =>
      SHARES.flatMap(([percentile, key]) => {
        const figure = knownFigure(row, key);
        return figure === undefined ? [] : [{ labels: { percentile }, value: figure.value / 1e6 }];
      }),
  },
  {
    name: 'commit_to_publish_lead_time_bound_seconds',
    help: 'Ends of the 95 % interval of the lead time, which counts releases; lower bounds have no high end, and too few releases none.',
    unit: 'seconds',
    samples: (row) =>
      SHARES.flatMap(([percentile, key]) => {
        const interval = knownFigure(row, key)?.interval;
        if (interval === undefined) return [];
        const ends = (['low', 'high'] as const).filter((bound) => Number.isFinite(interval[bound]));
        return ends.map((bound) => ({ labels: { percentile, bound }, value: interval[bound] / 1e6 }));
      }),
  },
  {
    name: 'commit_to_publish_changes',
    help: 'Changes that arrived in the weeks of the report.',
    unit: undefined,
    samples: ({ n }) => [{ labels: {}, value: n }],
  },
  {
    name: 'commit_to_publish_lower_bounds',
    help: 'Changes with only a lower bound of the lead time. If there are any, the percentiles are lower bounds too.',
    unit: undefined,
    samples: ({ atLeast }) => [{ labels: {}, value: atLeast }],
  },
  {
    name: 'commit_to_publish_releases',
    help: 'Releases that contain the changes.',
    unit: undefined,
    samples: ({ releases }) => [{ labels: {}, value: releases }],
  },
  {
    name: 'commit_to_publish_arrived_ratio',
    help: 'Share of the changes ready in the weeks of the report that have arrived.',
    unit: 'ratio',
    samples: ({ coverage }) => (coverage === undefined ? [] : [{ labels: {}, value: coverage }]),
  },
];

/**
 * Renders a report in OpenMetrics 1.0, for Prometheus: a gauge for each figure and row. It has no timestamps, because they would be those
 * of the report.
 */
export function formatOpenMetrics({ question, rows }: Report): string {
  const common = { by: question.by, channels: [...question.lead.channels].sort().join(','), to: question.lead.until };
  const families = FAMILIES.map(({ name, help, unit, samples }) => {
    const lines = rows.flatMap((row) =>
      samples(row).map(({ labels, value }) => `${name}{${writeLabels({ group: row.group, ...common, ...labels })}} ${value}`),
    );
    return [`# TYPE ${name} gauge`, ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]), `# HELP ${name} ${help}`, ...lines].join(
      '\n',
    );
  });
  return `${families.join('\n')}\n# EOF\n`;
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`)
    .join(',');
}
