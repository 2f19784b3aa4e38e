import { join } from 'node:path';
import { writeEvents } from '@tributary/commit-to-publish/io/journal';
import type { Event, Micros } from '@tributary/commit-to-publish/model/event';
import { figuresOf } from '@tributary/commit-to-publish/report/figures';
import { differenceOf } from '@tributary/commit-to-publish/statistics/difference';
import type { ClusteredValue } from '@tributary/commit-to-publish/statistics/releases';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Environment } from '@tributary/process/environment';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCommand } from './affected-process.js';
import { CHANGES, drawReleases, LAWS } from './publish-laws.js';

const RELEASES = 40;
const HOUR = 3600e6;
const FIRST = Date.UTC(2024, 0, 1) * 1000;
const SIDES = ['before', 'after'] as const;

/**
 * Runs one drawn pair through the journal, DuckDB and the command line. Returns the differences to the functions' results, each as a
 * sentence.
 */
export async function compareWithCommandLine(record: AbsolutePath, env: Environment): Promise<readonly string[]> {
  const [law] = LAWS;
  if (law === undefined) return ['there is no law'];
  const dice = law.dice(1);
  const [before, after] = SIDES.map(() => drawReleases(law, { releases: RELEASES, changes: CHANGES }, dice).map(inMicros));
  if (before === undefined || after === undefined) return ['there are no sides'];
  writeEvents(record, [...eventsOf('before', before), ...eventsOf('after', after)]);
  const ask = async (...args: readonly string[]): Promise<Answer> => {
    const cli = join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs');
    const all = [cli, ...args, '--record', record, '--channels', 'latest', '--json'];
    return JSON.parse(await runCommand({ program: process.execPath, args: all, cwd: record }, env)) as Answer;
  };
  const report = await ask('report', '--by', 'repo', '--window', '100w', '--until', '2025-01-06');
  const comparison = await ask('compare', '--before', 'before', '--after', 'after');
  return [
    ...SIDES.flatMap((side, at) => {
      const row = report.rows?.find(({ group }) => group === side);
      const figures = figuresOf([before, after][at] ?? [], 0);
      return differences(side, { p50: figures.p50, p90: figures.p90 }, { p50: row?.p50, p90: row?.p90 });
    }),
    ...differences(
      'the change',
      { p50: differenceOf(before, after, 0.5), p90: differenceOf(before, after, 0.9) },
      { p50: comparison.p50?.difference, p90: comparison.p90?.difference },
    ),
  ];
}

interface Answer {
  readonly rows?: readonly { readonly group: string; readonly p50: unknown; readonly p90: unknown }[];
  readonly p50?: { readonly difference: unknown };
  readonly p90?: { readonly difference: unknown };
}

function differences(name: string, ours: Readonly<Record<string, unknown>>, theirs: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(ours).flatMap((key) => {
    const [one, other] = [JSON.stringify(ours[key]), JSON.stringify(theirs[key])];
    return one === other ? [] : [`${key} of ${name} is ${one}, and by the command line ${other}`];
  });
}

function inMicros({ value, cluster }: ClusteredValue): ClusteredValue {
  // Releases are distributed in the order of their names.
  return { value: Math.round(value * HOUR), cluster: cluster.replace(/\d+/, (number) => number.padStart(4, '0')) };
}

function eventsOf(repo: string, values: readonly ClusteredValue[]): readonly Event[] {
  return values.flatMap(({ value, cluster }, at) => {
    const out = FIRST + (1 + Number(cluster.replaceAll(/\D/g, ''))) * 24 * HOUR;
    const base = { schemaVersion: 1, change: `${repo}-${at}`, repo, package: repo, attempt: 1, outcome: 'success' } as const;
    const rest = { actor: 'person', source: 'ci', confidence: 'exact', recordedAt: out as Micros } as const;
    const event = (stage: Event['stage'], moment: number): Event => ({
      ...base,
      ...rest,
      stage,
      id: `${repo}-${at}-${stage}`,
      startedAt: moment as Micros,
      endedAt: moment as Micros,
    });
    return [event('merge-wait', out - value), { ...event('publish', out), release: cluster, channel: 'latest' }];
  });
}
