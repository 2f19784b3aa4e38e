import { type KeptLine, keptJobsIn } from '../collect/job-walk.js';
import type { KnownJobs } from '../collect/jobs.js';
import { KeptFile } from './kept-file.js';
import { type KnownJobsAsked, readNewJobs } from './read-jobs.js';

/**
 * The CI jobs on the main line, and on the commits that something was published from: those that are kept beside the record, and those that the forge
 * reports, where it is asked. Throws as `readNewJobs`.
 */
export async function knownJobs(asked: KnownJobsAsked): Promise<KnownJobs> {
  const { name, forge, record, what } = asked;
  const file = new KeptFile<KeptLine>(record, name, 'jobs');
  const kept = keptJobsIn(forge !== undefined && what === 'all' ? [] : file.lines());
  if (forge === undefined) return { runs: [...kept.runs.values()], underWay: new Set(kept.walked?.underWay) };
  return readNewJobs({ ...asked, forge }, { file, kept });
}
