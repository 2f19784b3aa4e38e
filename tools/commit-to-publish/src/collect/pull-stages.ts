import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { Event, Micros } from '../model/event.js';
import type { PullTimes } from './pull-times.js';
import type { TestTimes } from './test-times.js';

/** The fields of a stage, without those that all stages of a change share. */
type StageFields = Pick<Event, 'stage' | 'attempt' | 'startedAt' | 'endedAt' | 'outcome' | 'source' | 'confidence'>;

/** Returns the stages of a pull request, up to its tests on the main line. */
export function stagesOfPull({ readyAt, readiness, mergedAt, prTests, postMergeTests }: PullTimes): readonly StageFields[] {
  const wait = { stage: 'merge-wait', attempt: 1, startedAt: micros(readyAt), endedAt: micros(mergedAt) } as const;
  return [
    ...prTests.map((tests) => testStage('pr-tests', tests)),
    { ...wait, outcome: 'success', source: 'api', confidence: readiness },
    ...postMergeTests.map((tests) => testStage('post-merge-tests', tests)),
  ];
}

/** Returns an attempt at tests as a stage. */
export function testStage(stage: StageFields['stage'], { attempt, startedAt, endedAt, outcome, confidence }: TestTimes): StageFields {
  return { stage, attempt, startedAt: micros(startedAt), endedAt: micros(endedAt), outcome, source: 'api', confidence };
}

function micros(time: Instant): Micros {
  return (time * 1000) as Micros;
}

/**
 * Returns the pull request of each commit of a main line. `line`: the ids, oldest first. A rebase has all its commits, except those of
 * another pull request.
 */
export function pullsOnLine(line: readonly CommitId[], byCommit: ReadonlyMap<CommitId, PullTimes>): ReadonlyMap<CommitId, PullTimes> {
  const found = new Map<CommitId, PullTimes>();
  for (const [position, id] of line.entries()) {
    const pull = byCommit.get(id);
    if (pull === undefined) continue;
    found.set(id, pull);
    for (let before = position - 1; before > position - pull.commits; before--) {
      const earlier = line[before];
      if (earlier === undefined || byCommit.has(earlier)) break;
      found.set(earlier, pull);
    }
  }
  return found;
}
