import { type KeptLine, keptJobsIn } from '../collect/job-walk.js';
import type { KnownJobs } from '../collect/jobs.js';
import { KeptFile } from './kept-file.js';
import type { KnownJobsAsked } from './read-jobs.js';

/** The jobs of GitHub Actions on the main line, and on the commits that something was published from: what is kept beside the record, and what GitHub says, where it is asked. Throws as `readNewJobs`. */
export async function knownJobs(asked: KnownJobsAsked): Promise<KnownJobs> {
  const { name, github, record, what } = asked;
  const file = new KeptFile<KeptLine>(record, name, 'jobs');
  const kept = keptJobsIn(github !== undefined && what === 'all' ? [] : file.lines());
  if (github === undefined) return { runs: [...kept.runs.values()], underWay: new Set(kept.walked?.underWay) };
  const { readNewJobs } = await import('./read-jobs.js');
  return readNewJobs({ ...asked, github }, { file, kept });
}
