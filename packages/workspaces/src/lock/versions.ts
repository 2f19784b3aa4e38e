import { descriptorsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { parseSemverRange } from '../ranges.js';

/**
 * Returns whether a lockfile agrees with the current version of a workspace. Every range of its name that the version satisfies must lead
 * to the workspace, and no other range may. Ranges that semver does not know are ignored.
 */
export function agreesWithVersion(
  records: readonly LockRecord[],
  { name, path, version }: { readonly name: string; readonly path: string; readonly version: string | undefined },
): boolean {
  const start = `${name}@`;
  // An alias has a separate entry or leads to the workspace; its range alone does not show which is right.
  if (records.some(({ key }) => key.includes(`@npm:${start}`))) return false;
  const named = records.filter(({ key }) => key.includes(start));
  return named.every((record) =>
    descriptorsOf(record).every((descriptor) => {
      if (!descriptor.startsWith(start)) return true;
      const written = descriptor.slice(start.length);
      const range = parseSemverRange(written.replace(/^(npm|workspace):/, ''));
      if (range === undefined) return true;
      const satisfied = range.test(written.startsWith('workspace:') ? (version ?? '0.0.0') : (version ?? ''));
      return satisfied === (record.workspace === path);
    }),
  );
}
