import { descriptorsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { parseSemverRange } from '../ranges.js';

/**
 * Whether the entries of a lockfile go with the version that a workspace has now: every range of its name that the version satisfies leads
 * to the workspace, and no other one does. Of ranges that semver does not know nothing is said.
 */
export function agreesWithVersion(
  records: readonly LockRecord[],
  { name, path, version }: { readonly name: string; readonly path: string; readonly version: string | undefined },
): boolean {
  const start = `${name}@`;
  // An alias has an entry of its own, or leads to the workspace; by its range alone it is not to be told which it should be.
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
