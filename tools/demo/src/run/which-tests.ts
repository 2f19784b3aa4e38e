import type { Services } from '@tributary/terminal/main';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { BRANCH } from './move-all.js';
import { CHANGES, makeSecondClone } from './second-clone.js';

/** Shows which tests a change can break in the monorepo. Uses a second clone, because it creates commits. */
export async function askWhichTests(place: TypedPlace, services: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('Which tests does a change need now? Only those that it can break');
  await makeSecondClone(stage, services);
  services.ui.stopProgress();
  narrator.say(
    `In a second clone, "yarn install --immutable" accepts the lockfile of ${BRANCH} as it is: the six are workspaces now. Somebody added a turbo.json and then changed geo:`,
  );
  const commands = typedCommands(stage.clone, place);
  const since = ['--base', BRANCH] as const;
  await commands.git('diff', '--name-only', BRANCH);
  await commands.affected(...since);
  await commands.affected('why', '@harbor/docks', ...since);
  await commands.affected(...since, '--format', 'turbo-filter');
  await commands.affected(...since, '--head', CHANGES.readme);
}
