import type { CommitId } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Instant } from '@tributary/model/time';
import { parseJson } from '../model/parse-json.js';
import type { PullTimes } from './pull-times.js';

/** A page of pull requests as it is kept: a line of NDJSON. */
export interface KeptPage {
  readonly schemaVersion: 2;
  readonly branch: string;
  /** From when on the walk that this page belongs to looks at them; `null`: from the beginning. */
  readonly since: Instant | null;
  /** When the newest of the walk was last touched. */
  readonly newest: Instant | null;
  /** Where the walk goes on; `null`: it is at its end. */
  readonly cursor: string | null;
  /** New ones, and those whose times have changed. */
  readonly pulls: readonly PullTimes[];
}

/** Where the next question to the forge begins. */
interface PullWalk {
  readonly since: Instant | undefined;
  readonly newest: Instant | undefined;
  readonly after: string | undefined;
}

interface WalkAsked {
  readonly branch: string;
  /** What was touched before is not wanted. */
  readonly since: Instant | undefined;
}

/** Tests that were under way the last time, and those that are run again, are seen within this time. */
const LOOK_BACK = 7 * 24 * 3600e3;

/** The pages in the lines of a file. A line that is none was being written when somebody was killed: it is left out, and what was in it asked for again. */
export function keptPagesIn(lines: readonly string[]): readonly KeptPage[] {
  return lines.flatMap((line) => parsePage(line) ?? []);
}

/** By their commit on the main line; what was kept last counts. */
export function pullsIn(pages: readonly KeptPage[]): Map<CommitId, PullTimes> {
  return new Map(pages.flatMap(({ pulls }) => pulls.map((pull) => [pull.commit, pull])));
}

/** A walk that was broken off goes on; one that would begin later than what is wanted now is made from there; else the next one begins a week before the end of the last. */
export function nextWalk(pages: readonly KeptPage[], { branch, since: wanted }: WalkAsked): PullWalk {
  const own = pages.filter((page) => page.branch === branch);
  const last = own.at(-1);
  if (last !== undefined && last.cursor !== null)
    return { since: last.since ?? undefined, newest: last.newest ?? undefined, after: last.cursor };
  const begun = { newest: undefined, after: undefined };
  const covered = Math.min(...own.filter(({ cursor }) => cursor === null).map(({ since }) => since ?? 0));
  if (last === undefined || (wanted ?? 0) < covered) return { ...begun, since: wanted };
  // A walk that met nobody: the next one looks at the same time.
  const next = last.newest === null ? last.since : ((last.newest - LOOK_BACK) as Instant);
  return { ...begun, since: next ?? undefined };
}

function parsePage(line: string): KeptPage | undefined {
  const value = parseJson(line);
  return isPlainObject(value) && value['schemaVersion'] === 2 ? (value as unknown as KeptPage) : undefined;
}
