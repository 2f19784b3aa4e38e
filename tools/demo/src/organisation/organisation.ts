import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import { docks } from './docks.js';
import { docktalk } from './docktalk.js';
import { fares } from './fares.js';
import { geo } from './geo.js';
import { monorepo, OWN_WORKSPACES } from './monorepo.js';
import { replay } from './replay.js';
import type { Story } from './story.js';
import { trips } from './trips.js';
import { units } from './units.js';

/** The company of the demo, which rents out bikes in a port town. */
export const COMPANY = 'Harbor Bikes';

/** Its repositories, oldest first. */
export const REPOSITORIES: readonly Story[] = [units, geo, fares, docktalk, docks, trips];

/** The folder of each package of `REPOSITORIES` in the sources, by name. */
export const SOURCE_FOLDERS: Readonly<Record<string, string>> = Object.fromEntries(
  REPOSITORIES.map((story) => [replay(story).manifest.name, story.folder]),
);

/** The monorepo of the app, into which they are migrated. */
export const MONOREPO: Story = monorepo(SOURCE_FOLDERS);

/** The manifests of its own workspaces. */
export const MONOREPO_MANIFESTS: readonly Manifest[] = Object.values(OWN_WORKSPACES);
