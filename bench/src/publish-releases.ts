import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, Micros } from '@tributary/commit-to-publish/model/event';
import type { Stage } from '@tributary/commit-to-publish/model/stage';

/**
 * A release with the commits that no earlier release had. Each has the first letters of its id, its time on the main line (seconds), and
 * the folders of `packages/` that it changes.
 */
interface Release {
  readonly package?: string;
  readonly crate?: string;
  readonly version: string;
  readonly tag: string;
  readonly publish_time: string;
  readonly commits: readonly (readonly [commit: string, seconds: number, folders?: readonly string[]])[];
}

/** A set of changes with their releases, from one file. */
export interface ReleaseSet {
  readonly name: string;
  readonly file: string;
  /** Returns whether to use a release. */
  readonly isWanted: (name: string, version: string) => boolean;
  /** The results of an independent computation, in hours. */
  readonly expected: { readonly n: number; readonly p50: number; readonly p90: number };
}

const DAY = 24;
const all = (): boolean => true;
const isMature = (_: string, version: string): boolean => !version.startsWith('0.');

function d3(name: string, n: number, p50: number, p90: number): ReleaseSet {
  return { name, file: 'd3-releases.json', isWanted: (one, version) => one === name && isMature(one, version), expected: { n, p50, p90 } };
}

/** As measured on 2026-11-20, to the recorded digits. */
export const RELEASE_SETS: readonly ReleaseSet[] = [
  { name: '31 d3 repositories', file: 'd3-releases.json', isWanted: isMature, expected: { n: 3930, p50: 55.5, p90: 106 * DAY } },
  // Recorded as 62 days; the file itself gives 61.49.
  d3('d3-array', 197, 0.6, 61.49 * DAY),
  d3('d3-scale', 159, 33.7, 65 * DAY),
  d3('d3-shape', 83, 0.5, 99 * DAY),
  d3('d3-geo', 241, 1.8, 46 * DAY),
  d3('d3-time', 54, 0.5, 99 * DAY),
  d3('d3', 1528, 212, 126 * DAY),
  { name: 'babel, any tag', file: 'babel-releases-any-dist-tag.json', isWanted: all, expected: { n: 5282, p50: 104, p90: 19.3 * DAY } },
  { name: 'babel, stable', file: 'babel-releases.json', isWanted: all, expected: { n: 5353, p50: 174, p90: 284 * DAY } },
  { name: 'jest, any tag', file: 'jest-releases-any-dist-tag.json', isWanted: all, expected: { n: 3478, p50: 193, p90: 52.5 * DAY } },
  { name: 'jest, stable', file: 'jest-releases.json', isWanted: all, expected: { n: 3538, p50: 323, p90: 119 * DAY } },
  { name: 'tokio crates', file: 'tokio-crates.json', isWanted: all, expected: { n: 2958, p50: 354, p90: 62.6 * DAY } },
];

/**
 * Returns the changes of a set as events: merged when they reached the main line, published with the release. Commits that change no
 * package are omitted.
 */
export function eventsOf(folder: string, { file, isWanted }: ReleaseSet): readonly Event[] {
  const releases = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly Release[];
  return releases
    .map((release) => ({ ...release, name: release.package ?? release.crate ?? file }))
    .filter(({ name, version }) => isWanted(name, version))
    .flatMap(({ name, tag, publish_time, commits }) => {
      const published = Date.parse(publish_time) / 1000;
      const changes = commits.filter(([, , folders]) => folders === undefined || folders.length > 0);
      return changes.flatMap(([change, merged]) => [
        event({ change, name, stage: 'merge-wait', seconds: merged }),
        { ...event({ change, name, stage: 'publish', seconds: published }), release: tag, channel: 'tag' },
      ]);
    });
}

interface Moment {
  readonly change: string;
  readonly name: string;
  readonly stage: Stage;
  readonly seconds: number;
}

function event({ change, name, stage, seconds }: Moment): Event {
  const at = (seconds * 1e6) as Micros;
  return {
    schemaVersion: 1,
    id: `${name} ${change} ${stage}`,
    change,
    repo: name,
    package: name,
    stage,
    attempt: 1,
    startedAt: at,
    endedAt: at,
    recordedAt: at,
    outcome: 'success',
    actor: 'person',
    source: 'git',
    confidence: 'derived',
  };
}
