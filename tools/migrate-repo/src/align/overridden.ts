import type { Newcomer, Project } from './project.js';
import { readNewcomerSettings } from './settings/newcomer-settings.js';
import { overridesIn } from './settings/overrides.js';

/**
 * The packages whose versions a newcomer decides at its own root for what it asks for itself, whatever its ranges say: `resolutions`, `overrides` of npm and
 * pnpm. Throws `MANIFEST_INVALID`.
 */
export function overriddenBy(newcomer: Newcomer, { files }: Project): ReadonlySet<string> {
  const overrides = overridesIn(readNewcomerSettings(newcomer, files)).flatMap((parsed) => parsed.overrides);
  return new Set(overrides.flatMap(({ name, parent }) => (parent === undefined || parent.name === newcomer.name ? [name] : [])));
}
