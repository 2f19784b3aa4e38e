import type { FileTimes, Run, Runs } from './timings.js';

/** Seconds: what is done within this time is not worth cutting, and nothing is kept of its files. */
export const LONG_SECONDS = 10;

/**
 * Gives the newest run of each workspace's task the times of its test files, if it took long. A task without any run gets one that took as
 * long as its files together, which is the best that is known. `workspaces`: by name.
 */
export function addFileTimes(known: Runs, workspaces: ReadonlyMap<string, FileTimes>, task: string): Runs {
  const all = new Map(known);
  for (const [workspace, files] of workspaces) {
    const id = `${workspace}#${task}`;
    const runs = all.get(id) ?? [];
    const newest = runs.at(-1) ?? { seconds: Object.values(files).reduce((sum, one) => sum + one, 0), startedAt: null };
    all.set(id, [...runs.slice(0, -1), newest.seconds < LONG_SECONDS ? newest : withFiles(newest, files)]);
  }
  return all;
}

function withFiles(run: Run, files: FileTimes): Run {
  return { ...run, testFiles: Object.keys(files).length, files };
}
