import type { CommitId } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Instant } from '@tributary/model/time';
import { parseJson } from '../model/parse-json.js';
import type { RunJobs } from './jobs.js';

/** A line of NDJSON: a run that is over, or that all runs of a time were asked for. */
export type KeptLine = { readonly schemaVersion: 1; readonly run: RunJobs } | { readonly schemaVersion: 1; readonly walked: Walked };

interface Walked {
  /** From when on, and until when, all runs are known. */
  readonly since: Instant;
  readonly until: Instant;
  /** Commits with runs that were not over. */
  readonly underWay: readonly CommitId[];
}

export interface KeptJobs {
  /** By id; of several the last. */
  readonly runs: ReadonlyMap<number, RunJobs>;
  /** All walks together. */
  readonly walked: Walked | undefined;
}

/** A line that is none was being written when somebody was killed: it is left out, and what was in it asked for again. */
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

/** What was under way the last time, or is run again, is seen within this time. */
const LOOK_BACK = 7 * 24 * 3600e3;
/** GitHub keeps logs as long by default. */
const FIRST_LOOK = 90 * 24 * 3600e3;

/** From when on runs are asked for. */
export function nextLook({ walked }: KeptJobs, { since, now }: { readonly since: Instant | undefined; readonly now: Instant }): Instant {
  const wanted = since ?? ((now - FIRST_LOOK) as Instant);
  if (walked === undefined || (since !== undefined && since < walked.since)) return wanted;
  return (walked.until - LOOK_BACK) as Instant;
}

function parseLine(line: string): KeptLine | undefined {
  const value = parseJson(line);
  return isPlainObject(value) && value['schemaVersion'] === 1 ? (value as unknown as KeptLine) : undefined;
}
