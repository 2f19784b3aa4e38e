import { groupMessages } from '../message.js';
import type { GroupedMessage, PackageResult } from '../result/result.js';

/** Returns what the clean-up removed, each reason once. */
export function cleanedUp(packages: readonly PackageResult[]): readonly GroupedMessage[] {
  return groupMessages(
    packages.flatMap(({ name, cleanUp }) =>
      cleanUp.map(({ path, reason }) => ({ package: name, place: path, text: `Removed: ${reason}.` })),
    ),
  );
}
