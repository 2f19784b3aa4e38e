import { describe, expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { Micros } from '../model/event.js';
import { keptJobsIn, nextLook } from './job-walk.js';
import { publishingBy, publishingOn, type RunJob, type RunJobs, testsAfterMerge, withJobs } from './jobs.js';
import type { PlacedPublication } from './releases.js';

const [ONE, TWO] = ['1'.repeat(40), '2'.repeat(40)] as [CommitId, CommitId];
const START = Date.UTC(2026, 0, 5);
const at = (minute: number): Instant => (START + minute * 60_000) as Instant;
const IS_PUBLISHING = publishingBy(['*publish*', '*release*', 'ship it']);

/** Reads lines such as `test#2 4-5 failure`: the second attempt of a job, from minute 4 to 5. The default is attempt 1 and success. */
function run(id: number, workflow: string, lines: readonly string[], more: Partial<RunJobs> = {}): RunJobs {
  const jobs = lines.map((line): RunJob => {
    const {
      name = '',
      attempt = '1',
      from,
      to,
      outcome = 'success',
    } = /^(?<name>.+?)(?:#(?<attempt>\d))? (?<from>[\d.]+)-(?<to>[\d.]+)(?: (?<outcome>\w+))?$/.exec(line)?.groups ?? {};
    const times = { attempt: Number(attempt), startedAt: at(Number(from)), endedAt: at(Number(to)) };
    return { name, ...times, outcome: outcome as RunJob['outcome'], confidence: 'exact' };
  });
  return { id, attempt: 1, commit: ONE, workflow, found: 'main line', jobs, ...more };
}

const shown = (attempts: readonly { attempt: number; startedAt: Instant; endedAt: Instant; outcome: string }[] | undefined): string[] =>
  (attempts ?? []).map((one) => `#${one.attempt} ${(one.startedAt - START) / 60e3}-${(one.endedAt - START) / 60e3} ${one.outcome}`);

describe('tests after the merge', () => {
  const tests = (runs: readonly RunJobs[], underWay: readonly CommitId[] = []): string[] =>
    shown(testsAfterMerge({ runs, underWay: new Set(underWay) }, IS_PUBLISHING).get(ONE));

  test('are all jobs that publish nothing, of all workflows', () => {
    expect(
      tests([
        run(1, 'CI', ['lint 1-2', 'test 1-4', 'Publish to npm 4-9']),
        run(2, 'E2E', ['browser 0-7']),
        run(3, 'Release', ['test 0-99']),
      ]),
    ).toEqual(['#1 0-7 success']);
  });

  test('run again they are attempts, as GitHub counts them', () => {
    expect(tests([run(1, 'CI', ['lint 1-2', 'test 1-4 failure', 'test#2 60-63'], { attempt: 2 })])).toEqual([
      '#1 1-4 failure',
      '#2 60-63 success',
    ]);
  });

  test('are none where some are under way, where all were skipped, and on other commits', () => {
    expect(tests([run(1, 'CI', ['test 1-4'])], [ONE])).toEqual([]);
    expect(tests([run(1, 'CI', ['test 1-4'])], [TWO])).toEqual(['#1 1-4 success']);
    expect(tests([run(1, 'CI', ['test 1-1 skipped'])])).toEqual([]);
    expect(tests([run(1, 'CI', ['test 1-4'], { commit: TWO }), run(2, 'CI', ['test 1-4'], { found: 'commit' })])).toEqual([]);
  });
});

describe('the job that published', () => {
  const publication: PlacedPublication = {
    package: 'core',
    outlet: 'version',
    version: '1.1.0',
    channel: 'latest',
    commit: ONE,
    anchor: 1,
    at: (at(10) * 1000) as Micros,
    source: 'git',
    confidence: 'derived',
  };
  const exact = { ...publication, source: 'registry', confidence: 'exact' } as const;
  const found = (runs: readonly RunJobs[], of: PlacedPublication = publication): string => {
    const {
      begun,
      at: ended,
      source,
      failed,
    } = withJobs(of, {
      publishing: publishingOn({ runs, underWay: new Set() }, IS_PUBLISHING),
      before: TWO,
    });
    const minute = (time: number | undefined): string => (time === undefined ? '' : String((time / 1000 - START) / 60e3));
    return `${minute(begun)}-${minute(ended)} ${source} ${shown(failed).join(', ')}`.trim();
  };

  test('says when it began and ended, where a tag stands for it', () => {
    expect(found([run(1, 'CI', ['test 1-2', 'Ship it 11-14'], { found: 'commit' })])).toBe('11-14 api');
  });

  test('failed first: its attempts are kept, and the one that succeeded counts', () => {
    const again = run(1, 'Release', ['npm 11-12 failure', 'npm#2 40-43']);
    expect(found([again])).toBe('40-43 api #1 11-12 failure');
    expect(found([run(1, 'Release', ['npm 11-12 failure'])])).toBe('-10 git');
  });

  test('says when it began, where the registry says when it was out', () => {
    expect(found([run(1, 'CI', ['publish 8-12'])], exact)).toBe('8-10 registry');
    expect(found([run(1, 'CI', ['publish 11-12'])], exact)).toBe('-10 registry');
  });

  test('ran on the commit before, where it has written the version down itself', () => {
    const lines = ['publish 5-7 failure', 'publish#2 8-12'];
    expect(found([run(1, 'CI', lines, { commit: TWO })])).toBe('8-12 api #1 5-7 failure');
    expect(found([run(1, 'CI', ['publish 8-12'], { commit: TWO })], exact)).toBe('8-10 registry');
    // The job of the version before had ended, and the job of the next version had not begun.
    expect(found([run(1, 'CI', ['publish 1-5'], { commit: TWO }), run(2, 'CI', ['publish 11-12'], { commit: TWO })])).toBe('-10 git');
    expect(found([run(1, 'CI', ['publish 8-12'], { commit: TWO }), run(2, 'CI', ['publish 10-11'])])).toBe('10-11 api');
  });

  test('is none that was over before, none of another commit, and none of a deployment', () => {
    expect(found([run(1, 'CI', ['release notes 1-2'])])).toBe('-10 git');
    expect(found([run(1, 'CI', ['publish 11-12'], { commit: '3'.repeat(40) as CommitId })])).toBe('-10 git');
    expect(found([run(1, 'CI', ['publish 11-12'])], { ...publication, outlet: 'deployment' })).toBe('-10 git');
  });
});

test('the next look begins a week before the last one, earlier where somebody wants it, and where it was broken off as if it had not been', () => {
  const day = (count: number): Instant => (START + count * 24 * 3600e3) as Instant;
  const line = (value: object): string => JSON.stringify({ schemaVersion: 1, ...value });
  const walked = line({ walked: { since: day(-90), until: day(0), underWay: [ONE] } });
  const known = keptJobsIn([line({ run: run(1, 'CI', []) }), walked, line({ run: run(1, 'CI', ['a 1-2']) }), '{"schemaVersion":1,"ru']);
  expect(known.runs.get(1)?.jobs).toHaveLength(1);
  expect(nextLook(known, { since: undefined, now: day(30) })).toBe(day(-7));
  expect(nextLook(known, { since: day(-60), now: day(30) })).toBe(day(-7));
  expect(nextLook(known, { since: day(-100), now: day(30) })).toBe(day(-100));
  expect(nextLook(keptJobsIn([line({ run: run(1, 'CI', []) })]), { since: undefined, now: day(30) })).toBe(day(-60));
});
