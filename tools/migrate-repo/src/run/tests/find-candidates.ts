import { readInstalledTree } from '../../io/installed-tree.js';
import type { TestCandidates } from '../../result/tests-result.js';
import { lastOf, outcomeOf } from '../../tests/test-run.js';
import { compareTrees } from '../../tests/tree-changes.js';
import type { ComparedPackage } from './compare-tests.js';
import type { MigratedTests } from './migrated-tests.js';
import type { SourceTests } from './source-tests.js';

/** Whether a package is newly failing, although it was installed on both sides. */
export function mayHaveCandidates(one: ComparedPackage): boolean {
  return outcomeOf(one) === 'newly failing' && [one.before, one.after].every((runs) => lastOf(runs).result !== 'not installed');
}

/** Returns what is installed differently for a package, and removes its source. Throws as `runContained`. */
export async function findCandidates(name: string, source: SourceTests, migrated: MigratedTests): Promise<TestCandidates> {
  const [one, other] = [await source.locate(name), await migrated.locate(name)];
  const candidates = compareTrees(readInstalledTree(one.folder, one.top), readInstalledTree(other.folder, other.top));
  source.close(name);
  return candidates;
}
