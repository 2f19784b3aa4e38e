import type { CommitId } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Instant } from '@tributary/model/time';
import { parseJson } from '../model/parse-json.js';
import type { PullTimes } from './pull-times.js';

/** A kept page of pull requests: a line of NDJSON. */
export interface KeptPage {
  readonly schemaVersion: 2;
  readonly branch: string;
  /** The time from which the walk of this page requests pull requests; `null`: from the beginning. */
  readonly since: Instant | null;
  /** The last update of the newest pull request in the walk. */
  readonly newest: Instant | null;
  /** Where the walk continues; `null` at its end. */
  readonly cursor: string | null;
  /** New pull requests, and those with changed times. */
  readonly pulls: readonly PullTimes[];
}

/** Where the next request to the forge begins. */
interface PullWalk {
  readonly since: Instant | undefined;
  readonly newest: Instant | undefined;
  readonly after: string | undefined;
}

interface WalkAsked {
  readonly branch: string;
  /** Pull requests without an update since then are not needed. */
  readonly since: Instant | undefined;
}

/** Tests that were under way, or that are run again, are found within this time. */
const LOOK_BACK = 7 * 24 * 3600e3;

/** Parses the pages of a file. It skips an incomplete line, which a killed process left; its content is requested again. */
export function keptPagesIn(lines: readonly string[]): readonly KeptPage[] {
  return lines.flatMap((line) => parsePage(line) ?? []);
}

/** Returns the pull requests by their commit on the main line. Of several entries, the last counts. */
export function pullsIn(pages: readonly KeptPage[]): Map<CommitId, PullTimes> {
  return new Map(pages.flatMap(({ pulls }) => pulls.map((pull) => [pull.commit, pull])));
}

/**
 * Returns the next walk. It continues an interrupted walk. If the kept walks begin after `since`, it starts a new one there. Otherwise it
 * starts a week before the end of the last one.
 */
export function nextWalk(pages: readonly KeptPage[], { branch, since: wanted }: WalkAsked): PullWalk {
  const own = pages.filter((page) => page.branch === branch);
  const last = own.at(-1);
  if (last !== undefined && last.cursor !== null)
    return { since: last.since ?? undefined, newest: last.newest ?? undefined, after: last.cursor };
  const begun = { newest: undefined, after: undefined };
  const covered = Math.min(...own.filter(({ cursor }) => cursor === null).map(({ since }) => since ?? 0));
  if (last === undefined || (wanted ?? 0) < covered) return { ...begun, since: wanted };
  // The last walk found nothing, so the next one covers the same time.
  const next = last.newest === null ? last.since : ((last.newest - LOOK_BACK) as Instant);
  return { ...begun, since: next ?? undefined };
}

function parsePage(line: string): KeptPage | undefined {
  const value = parseJson(line);
  return isPlainObject(value) && value['schemaVersion'] === 2 ? (value as unknown as KeptPage) : undefined;
}
