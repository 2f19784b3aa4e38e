import type { FileTimes, Run, Runs } from './timings.js';

/** In seconds. Tasks that take less are not worth splitting, so times of their files are not kept. */
export const LONG_SECONDS = 10;

/**
 * Adds the times of test files to the newest run of each workspace's task, if it took long. A task without runs gets one that takes as long
 * as its files together, the best available estimate. `workspaces`: by name.
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
