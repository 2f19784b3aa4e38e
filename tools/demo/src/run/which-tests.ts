import type { Services } from '@tributary/terminal/main';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { BRANCH } from './move-all.js';
import { CHANGES, makeSecondClone } from './second-clone.js';

/** Asks what a change can break, now that all lies in one monorepo. It plays in a second clone, for commits are made. */
export async function askWhichTests(place: TypedPlace, services: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('Which tests does a change need now? Only those that it can break');
  await makeSecondClone(stage, services);
  services.ui.stopProgress();
  narrator.say(
    `The lockfile of ${BRANCH} still takes the six from the registry; to change that is the work of a tool to come. In a second clone Yarn has resolved it anew and installed everything, a turbo.json has come, and then somebody has changed geo:`,
  );
  const commands = typedCommands(stage.clone, place);
  const since = ['--base', BRANCH] as const;
  await commands.git('diff', '--name-only', BRANCH);
  await commands.affected(...since);
  await commands.affected('why', '@harbor/docks', ...since);
  await commands.affected(...since, '--format', 'turbo-filter');
  await commands.affected(...since, '--head', CHANGES.readme);
}
