import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '@tributary/terminal/main';
import { GitClock, runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { DemoFolders } from '../io/stage.js';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { MONOREPO, mara, signatureOf } from '../organisation.js';
import { CHANNELS, pipelineEvents, WEEKS } from '../pipelines.js';
import { BRANCH } from './move-all.js';

const EVENTS = 'events.ndjson';
const PAGE = 'report.html';
/** The clone in which the migration was merged long ago. */
const LATER = 'later';

/**
 * Compares lead times before and after. A demo cannot wait for weeks, so it uses a third clone, in which the branch was merged twelve weeks
 * ago.
 */
export async function measureLeadTime(place: TypedPlace, services: Services): Promise<void> {
  const { stage, narrator } = place;
  const weeks = `${WEEKS}w`;
  const moved = Math.floor(services.clock() / 1000) - WEEKS * 7 * 24 * 3600;
  narrator.step('Did it help? A report of lead times before and after');
  narrator.say(
    `That takes weeks. So in a third clone (${LATER}/) ${BRANCH} was merged ${WEEKS} weeks ago, and the events of its pipelines are invented. Stages and a prediction follow in the answer.`,
  );
  const merge = mergeLongAgo(stage, moved);
  writeFileSync(
    join(stage.folder, EVENTS),
    pipelineEvents(moved)
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  const commands = typedCommands(stage.folder, place);
  await commands.commitToPublish('ingest', EVENTS);
  const monorepo = ['--monorepo', `${LATER}/${MONOREPO}`, '--channels', CHANNELS] as const;
  const comparison = typedCommands(stage.folder, place, { head: 12 });
  await comparison.commitToPublish('compare', '--migration', merge.slice(0, 10), '--window', weeks, ...monorepo);
  narrator.say('A page with charts, of each change up to its own publication:');
  const page = typedCommands(stage.folder, place, { into: PAGE });
  await page.commitToPublish('report', '--by', 'repo', ...monorepo, '--format', 'html');
}

/** Merges the branch in the third clone and returns the merge's id, which identifies all three. */
function mergeLongAgo(stage: DemoFolders, seconds: number): string {
  const clone = TempRepo.create({ folder: stage.later });
  clone.git('remote', 'add', 'origin', stage.monorepo);
  clone.git('fetch', '-q', 'origin');
  clone.git('reset', '-q', '--hard', 'origin/main');
  const merge = ['merge', '-q', '--no-ff', '-m', `Merge branch '${BRANCH}'`, `origin/${BRANCH}`];
  runHermeticGit(merge, { folder: clone.path, clock: new GitClock(), environment: signatureOf(mara, seconds) });
  return clone.id('HEAD');
}
