import { type GroupedMessage, groupMessages } from '../message.js';
import type { PackageResult } from '../result.js';

/** Returns what the clean-up removed, each reason once. */
export function cleanedUp(packages: readonly PackageResult[]): readonly GroupedMessage[] {
  return groupMessages(
    packages.flatMap(({ name, cleanUp }) =>
      cleanUp.map(({ path, reason }) => ({ package: name, place: path, text: `Removed: ${reason}.` })),
    ),
  );
}
