import { isPlainObject } from '@tributary/model/plain-object';
import { isForTestsAlone } from '@tributary/workspaces/root-dependencies';
import { changedKeys } from '@tributary/workspaces/same-value';

/** What changed in a package.json without reaching the dependents of its workspace. */
export interface ManifestRows {
  /** Its version, what describes it, or ranges that lead to the same workspaces. */
  readonly versions: boolean;
  /** The development dependencies that changed, all of them for tests alone. */
  readonly testDependencies: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Keys for people and for the registry. */
const DESCRIPTION = new Set([
  'author',
  'bugs',
  'contributors',
  'description',
  'funding',
  'homepage',
  'keywords',
  'license',
  'maintainers',
  'publishConfig',
  'repository',
  'version',
]);
const BLOCKS = new Set(['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']);

/**
 * Compares two versions of a package.json by key. Returns `undefined` if anything changed that dependents may see. `leadsTo`: whether a
 * dependency leads to the same workspace at both commits.
 */
export function readManifestRows(before: Json, after: Json, leadsTo: (name: string) => boolean): ManifestRows | undefined {
  const testDependencies: string[] = [];
  let versions = false;
  for (const key of changedKeys(before, after, (one) => (one === 'exports' ? 'counts' : 'is free'))) {
    if (DESCRIPTION.has(key)) versions = true;
    else if (!BLOCKS.has(key)) return undefined;
    else {
      const [old, now] = [before[key] ?? {}, after[key] ?? {}];
      if (!isPlainObject(old) || !isPlainObject(now)) return undefined;
      for (const name of changedKeys(old, now, () => 'is free')) {
        if (name in old && name in now && leadsTo(name)) versions = true;
        else if (key === 'devDependencies' && isForTestsAlone(name)) testDependencies.push(name);
        else return undefined;
      }
    }
  }
  return { versions, testDependencies };
}

/** Tells whether a manifest has a dependency for tests alone, and in no other block. */
export function isTestDependency(manifest: Json, name: string): boolean {
  const has = (key: string): boolean => {
    const block = manifest[key];
    return isPlainObject(block) && Object.hasOwn(block, name);
  };
  return isForTestsAlone(name) && has('devDependencies') && ![...BLOCKS].some((key) => key !== 'devDependencies' && has(key));
}
