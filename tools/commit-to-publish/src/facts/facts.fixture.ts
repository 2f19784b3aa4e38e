import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { Event, Micros } from '../model/event.js';
import type { Stage } from '../model/stage.js';

type Commit = readonly [
  commit: string,
  committed: number,
  parserReleased: number,
  upgraded: number | null,
  version: string,
  released: number,
];

interface Babylon {
  readonly before: readonly Commit[];
  readonly after: readonly Commit[];
}

/** Reads the facts from the file. Times are in seconds since 1970. */
export function babylonFacts(): Babylon {
  return readFacts('babylon.json') as Babylon;
}

/** The changes of a parser that had its own repository, and then moved into that of its only consumer, which pinned it. */
export function babylonEvents(era: keyof Babylon): readonly Event[] {
  return babylonFacts()[era].flatMap(([commit, committed, parserReleased, upgraded, version, released]) => {
    const event = (stage: Stage, from: number, to: number, rest: Partial<Event>): Event => ({
      schemaVersion: 1,
      id: `${commit} ${stage} ${rest.consumer ?? ''}`,
      change: commit,
      repo: era,
      package: 'babylon',
      stage,
      attempt: 1,
      startedAt: (from * 1e6) as Micros,
      endedAt: (to * 1e6) as Micros,
      recordedAt: (to * 1e6) as Micros,
      outcome: 'success',
      actor: 'person',
      source: 'git',
      confidence: 'derived',
      ...rest,
    });
    const merged = event('merge-wait', committed, committed, {});
    if (upgraded === null) return [merged, event('publish', released, released, { release: version, channel: 'tag' })];
    return [
      merged,
      event('publish', parserReleased, parserReleased, { release: `parser of ${version}`, channel: 'tag' }),
      event('upgrade-merge', parserReleased, upgraded, { consumer: 'babel' }),
      event('publish', released, released, { consumer: 'babel', release: version, channel: 'tag' }),
    ];
  });
}

/** Returns the seconds from each tag to the upload of its version, ascending. */
export function tagToUpload(): readonly number[] {
  const { rows } = readFacts('tag-times.json') as { readonly rows: readonly (readonly [string, string, number])[] };
  return rows.map(([, , seconds]) => seconds).sort((a, b) => a - b);
}

function readFacts(file: string): unknown {
  return JSON.parse(readFileSync(join(findProjectRoot(), 'tools/commit-to-publish/src/facts', file), 'utf8'));
}
