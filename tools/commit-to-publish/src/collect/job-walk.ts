import type { CommitId } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Instant } from '@tributary/model/time';
import { parseJson } from '../model/parse-json.js';
import type { RunJobs } from './jobs.js';

/** A line of NDJSON: a completed run, or the period for which all runs were requested. */
export type KeptLine = { readonly schemaVersion: 1; readonly run: RunJobs } | { readonly schemaVersion: 1; readonly walked: Walked };

interface Walked {
  /** All runs from `since` to `until` are known. */
  readonly since: Instant;
  readonly until: Instant;
  /** Commits with runs that were not complete. */
  readonly underWay: readonly CommitId[];
}

export interface KeptJobs {
  /** By id; of several entries, the last one. */
  readonly runs: ReadonlyMap<number, RunJobs>;
  /** The period of all walks together. */
  readonly walked: Walked | undefined;
}

/** Parses kept lines. It skips an incomplete line, which a killed process left; its content is requested again. */
export function keptJobsIn(lines: readonly string[]): KeptJobs {
  const runs = new Map<number, RunJobs>();
  let walked: KeptJobs['walked'];
  for (const line of lines) {
    const kept = parseLine(line);
    if (kept === undefined) continue;
    if ('run' in kept) runs.set(kept.run.id, kept.run);
    else walked = { ...kept.walked, since: Math.min(kept.walked.since, walked?.since ?? kept.walked.since) as Instant };
  }
  return { runs, walked };
}

/** Runs that were under way, or that are run again, are found within this time. */
const LOOK_BACK = 7 * 24 * 3600e3;
/** GitHub's default retention of logs. */
const FIRST_LOOK = 90 * 24 * 3600e3;

/** Returns the time from which runs are requested. */
export function nextLook({ walked }: KeptJobs, { since, now }: { readonly since: Instant | undefined; readonly now: Instant }): Instant {
  const wanted = since ?? ((now - FIRST_LOOK) as Instant);
  if (walked === undefined || (since !== undefined && since < walked.since)) return wanted;
  return (walked.until - LOOK_BACK) as Instant;
}

function parseLine(line: string): KeptLine | undefined {
  const value = parseJson(line);
  return isPlainObject(value) && value['schemaVersion'] === 1 ? (value as unknown as KeptLine) : undefined;
}
