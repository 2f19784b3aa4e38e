import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import type { Project } from './replay.js';
import { COMPANY_REGISTRY, type PackageManager } from './story.js';

/** A lockfile to make. */
export interface LockfileOrder {
  readonly manager: PackageManager;
  readonly project: Project;
}

/** The name of each package manager's lockfile. */
export const LOCKFILE_NAME: Readonly<Record<PackageManager, string>> = {
  'Yarn 1': 'yarn.lock',
  npm: 'package-lock.json',
  'Yarn 4': 'yarn.lock',
};

const RELEVANT = ['name', 'workspaces', 'dependencies', 'devDependencies', 'bin'] as const;

/**
 * Returns the files that a package manager needs to make a lockfile, by path. They contain nothing that would change its behaviour, such as
 * `packageManager`.
 */
export function lockfileInput({ project }: LockfileOrder): Readonly<Record<string, string>> {
  const { manifest, workspaces } = project;
  const relevant = RELEVANT.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]] as const]));
  return {
    ...workspaces,
    'package.json': formatManifest({ ...Object.fromEntries(relevant), version: '0.0.0', private: true, license: 'UNLICENSED' }),
  };
}

/** Returns a key that is equal for orders whose lockfiles differ at most in the version of the package itself. */
export function lockfileKey(order: LockfileOrder): string {
  return JSON.stringify([order.manager, lockfileInput(order)]);
}

/** Returns a lockfile as committed: with the company's registry and the version of the package. */
export function publicLockfile(order: LockfileOrder, made: string, localRegistry: string): string {
  const text = made.replaceAll(localRegistry, COMPANY_REGISTRY);
  return order.manager === 'npm' ? withVersion(text, order.project.manifest) : text;
}

/** Sets version and licence of the package itself, which npm writes in two places. */
function withVersion(text: string, manifest: Project['manifest']): string {
  const lockfile = JSON.parse(text) as { packages: Record<string, unknown> };
  const own = { ...(lockfile.packages[''] as object), version: manifest.version, license: manifest.license };
  return `${JSON.stringify({ ...lockfile, version: manifest.version, packages: { ...lockfile.packages, '': own } }, null, 2)}\n`;
}
