import { readFileSync } from 'node:fs';
import { DEFAULT_PUBLISH, type PublishConfig } from '@tributary/model/publish-config';
import type { Instant } from '@tributary/model/time';
import { silentProgress } from '@tributary/terminal/progress';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type CommitOptions, type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { collect } from '../io/collect.js';
import type { CollectWork } from '../io/collect-work.js';
import { listSegments } from '../io/journal.js';
import type { Event, Micros } from '../model/event.js';
import type { Collection } from './collection.js';

/** The start of all stories, in seconds since 1970. */
export const BEGIN = 1_600_000_000;
const HOUR = 3600e6;

/** A repository whose commits and tags have known times. */
export class CloneStory {
  readonly repo = TempRepo.create();

  /** Sets the time of the next commits and tags: this many hours after the start, and a few minutes. */
  at(hours: number): this {
    while (this.repo.clock.now() < BEGIN + hours * 3600 - 60) this.repo.clock.advance();
    return this;
  }

  commit(subject: string, files: Files, environment: CommitOptions['environment'] = {}, body = ''): string {
    return this.repo.commit(body === '' ? subject : `${subject}\n\n${body}`, { files, environment });
  }

  /** Commits a version in a package.json, and the other given files. */
  version(subject: string, manifest: Readonly<Record<string, unknown>>, folder = ''): string {
    return this.commit(subject, { [`${folder}package.json`]: `${JSON.stringify(manifest)}\n` });
  }
}

/** A record in a temporary folder, and the collections into it. */
export class Collecting {
  private readonly home = new TempFolder();
  readonly record = this.home.join('record');
  private runs = 0;

  /** Collects one second after the run before: of two events that differ in nothing else, the later one counts. */
  run(
    stories: readonly CloneStory[],
    more: Partial<Omit<CollectWork, 'config'>> & { readonly config?: Partial<PublishConfig> } = {},
  ): Promise<Collection> {
    return collect({
      clones: stories.map(({ repo }) => repo.path),
      name: undefined,
      forge: undefined,
      jobs: 'as known',
      record: this.record,
      packages: [],
      since: undefined,
      what: 'new',
      doing: 'record',
      now: ((BEGIN + 10_000 * 3600 + this.runs++) * 1e6) as Micros,
      signal: new AbortController().signal,
      progress: silentProgress,
      ...more,
      config: { ...DEFAULT_PUBLISH, ...more.config },
    });
  }

  /** Returns all lines of the journal, in the order of writing. */
  lines(): readonly Event[] {
    return listSegments(this.record).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => parseWhole(line)),
    );
  }

  /** Returns the events that count: of several lines with the same key, the last one. */
  events(): readonly Event[] {
    const byKey = new Map(
      this.lines().map((event) => [[event.repo, event.change, event.package, event.consumer, event.stage, event.attempt].join(' '), event]),
    );
    return [...byKey.values()];
  }

  dispose(): void {
    this.home.dispose();
  }
}

/**
 * Returns the events of a commit as lines, sorted by time: `core merge-wait 3:01`, `core publish 1.1.0 (latest) 5:02`. Times are hours and
 * minutes since the start.
 */
export function eventLines(events: readonly Event[], commit: string): readonly string[] {
  return [...events]
    .filter(({ change }) => change === commit)
    .sort((a, b) => a.endedAt - b.endedAt || (a.stage < b.stage ? -1 : 1))
    .map(({ package: name, consumer, stage, outcome, release, channel, startedAt, endedAt }) => {
      const what = [
        name,
        ...(consumer === undefined ? [] : [`in ${consumer}`]),
        stage,
        ...(outcome === 'unmeasured' ? [outcome] : []),
        ...(release === undefined ? [] : [release, `(${channel})`]),
      ];
      const from = startedAt === endedAt ? '' : `${hours(startedAt)} to `;
      return `${what.join(' ')} ${from}${hours(endedAt)}`;
    });
}

function hours(time: Micros): string {
  const past = time - BEGIN * 1e6;
  return `${Math.floor(past / HOUR)}:${String(Math.floor((past % HOUR) / 60e6)).padStart(2, '0')}`;
}

/** Returns a time in hours after the start, in the registry's format. */
export function uploadTime(hoursPast: number): string {
  return new Date(((BEGIN + hoursPast * 3600) * 1000) as Instant).toISOString();
}

/** Returns the event of a line, or nothing for a torn line. */
function parseWhole(line: string): readonly Event[] {
  try {
    return [JSON.parse(line) as Event];
  } catch {
    return [];
  }
}
