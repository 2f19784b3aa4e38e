import type { PackageResult } from '../result.js';
import { type Told, tellOnce } from '../said.js';

/** What was taken away of packages before they were aligned, each reason once. */
export function cleanedUp(packages: readonly PackageResult[]): readonly Told[] {
  return tellOnce(
    packages.flatMap(({ name, cleanUp }) =>
      cleanUp.map(({ path, reason }) => ({ package: name, place: path, text: `Taken away: ${reason}.` })),
    ),
  );
}
