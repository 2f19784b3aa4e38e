import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, Collecting } from '../collect/story.fixture.js';
import { leadTimesQuery, stageColumnsOf } from '../engine/lead-times.js';
import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { CHANGES, type ChangeStory, IN_RELEASE, RELEASES, startTold, tellInGit } from './known-times.fixture.js';
import { withRecord } from './record.js';

const cleanUp = cleanUpIn(afterEach);

/** Returns the end of each stage of a change according to the story. The first mark is the start. */
function marksOf(change: ChangeStory, n: number): readonly (readonly [stage: string, at: number])[] {
  const position = Math.floor(n / IN_RELEASE);
  const [begun = 0, published = 0] = RELEASES[position]?.jobs.at(-1) ?? [];
  const taken = RELEASES.findIndex(({ upgrade }, at) => at >= position && upgrade !== undefined);
  const upgrade = RELEASES[taken]?.upgrade;
  const deployed = RELEASES.find((release, at) => at >= taken && release.deployed !== undefined)?.deployed;
  const { method, approved, merged, tests, after } = change;
  const before =
    method === 'direct'
      ? [['ready', merged] as const]
      : ([
          ['ready', approved],
          ['pr_tests', Math.max(approved, tests.at(-1)?.[1] ?? 0)],
        ] as const);
  const own = [
    ...before,
    ['merge_wait', merged],
    ['post_merge_tests', after.at(-1)?.[1] ?? 0],
    ['publish_wait', begun],
    ['publish', published],
  ] as const;
  if (upgrade === undefined) return own;
  const taking = [
    ['upgrade_open', Math.max(published, upgrade.opened)],
    ['upgrade_tests', upgrade.tests[1]],
    ['upgrade_merge', upgrade.merged],
  ] as const;
  const out =
    deployed === undefined
      ? []
      : ([
          ['consumer_publish_wait', deployed[0]],
          ['consumer_publish', deployed[1]],
        ] as const);
  return [...own, ...taking, ...out];
}

/** Returns the length of each stage in hours. */
function expected(change: ChangeStory, n: number, stages: ReadonlySet<string>): Readonly<Record<string, number>> {
  const marks = marksOf(change, n);
  const lengths = marks.slice(1).map(([stage, at], position) => [stage, at - (marks[position]?.[1] ?? 0)] as const);
  return Object.fromEntries(lengths.filter(([stage]) => stages.has(stage)));
}

test('every stage of every change is exact, however it was merged, whatever was tried again, and whichever versions were skipped', async () => {
  const repositories = tellInGit();
  const { core, app, commits } = repositories;
  for (const { repo } of [core, app]) cleanUp.add(repo);
  const { apiUrl } = cleanUp.add(await startTold(repositories));
  const forge = { repository: undefined, branch: 'main', apiUrl, token: 'ghs_x' };
  const collecting = cleanUp.add(new Collecting());
  const now = ((BEGIN + 400 * 3600) * 1e6) as Micros;
  const { upgrades } = await collecting.run([core, app], { forge, jobs: 'ask', now, config: { deployments: { production: ['app'] } } });
  expect(upgrades).toEqual([{ package: 'core', consumer: 'acme/app', taken: 3, skipped: 1, open: 0 }]);
  for (const until of ['published', 'upgraded', 'released'] as const) {
    const question: LeadTimeQuestion = { ready: 'approved', until, channels: new Set(['latest', 'deployment:production']) };
    const columns = stageColumnsOf(question).map(({ column }) => column);
    const rows = await withRecord(collecting.record, (database) =>
      database.rows(`select * from (${leadTimesQuery(question)}) where repo = 'acme/core'`),
    );
    const found = new Map(
      rows.map((row) => {
        const lengths = columns.flatMap((column) =>
          typeof row[column] === 'bigint' ? [[column, Number(row[column]) / 3600e6] as const] : [],
        );
        expect(lengths.reduce((sum, [, length]) => sum + length, 0)).toBeCloseTo(
          Number((row['ended_at'] as bigint) - (row['ready_at'] as bigint)) / 3600e6,
          9,
        );
        return [row['change'], Object.fromEntries(lengths)];
      }),
    );
    const known = CHANGES.flatMap((change, n) =>
      (commits[n] ?? []).map((commit) => [commit, expected(change, n, new Set(columns))] as const),
    );
    const arrived = known.filter(([, stages]) => until !== 'released' || 'consumer_publish' in stages);
    expect(found).toEqual(new Map(arrived));
  }
});
