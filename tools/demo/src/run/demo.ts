import { between, formatDuration } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import { Narrator } from '../io/narrator.js';
import { openStage } from '../io/stage.js';
import { typedCommands } from '../io/typed-commands.js';
import { COMPANY, MONOREPO, REPOSITORIES } from '../organisation/organisation.js';
import { distribute } from './distribute.js';
import { introduce } from './introduce.js';
import { measureLeadTime } from './lead-time.js';
import { lookAround, proveUntouched, sayGoodbye } from './look-around.js';
import { moveAll } from './move-all.js';
import { setUp } from './set-up.js';
import { askWhichTests } from './which-tests.js';

/** Runs the whole demo. Later tools of Tributary add their steps here. */
export async function demo(services: Services): Promise<void> {
  const { ui, clock, signal } = services;
  const begin = clock();
  const narrator = new Narrator(ui);
  narrator.title(`${COMPANY} moves ${REPOSITORIES.length} repositories into one monorepo`);
  const stage = openStage(MONOREPO.folder);
  try {
    const organisation = await setUp(stage, services);
    ui.stopProgress();
    introduce(narrator, organisation);
    const place = { stage, narrator, signal };
    const commands = typedCommands(stage.monorepo, place);
    await moveAll(place, services);
    await lookAround(narrator, commands);
    await askWhichTests(place, services);
    await distribute(place);
    await measureLeadTime(place, services);
    await proveUntouched(narrator, commands, organisation.monorepo);
    sayGoodbye(narrator, stage, formatDuration(between(begin, clock())));
  } catch (error) {
    ui.stopProgress();
    ui.status(`What was made until then lies in ${stage.folder}`);
    throw error;
  }
}
