import { indexLock } from '@tributary/lockfile/lock-index';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';

/** Files and fields at the root of a monorepo that show its package manager. */
export interface RootSigns {
  readonly manifest: Pick<Manifest, 'packageManager' | 'raw'>;
  /** The names of the files at the root. */
  readonly files: ReadonlySet<string>;
  /** The text of yarn.lock; `undefined` if there is none. */
  readonly yarnLock: string | undefined;
}

/** Files of other package managers at a root. Yarn reads none of them. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['bun.lock', 'Bun'],
  ['bun.lockb', 'Bun'],
]);

/**
 * Throws `PACKAGE_MANAGER_UNSUPPORTED` unless the monorepo uses Yarn 2 or later, because changes would break it. A new
 * monorepo, without a lockfile and without a named package manager, is accepted.
 */
export function refuseOtherManager(signs: RootSigns): void {
  const other = otherManager(signs);
  if (other === undefined) return;
  throw new ToolError({
    code: 'PACKAGE_MANAGER_UNSUPPORTED',
    message: `This monorepo uses ${other.manager} (see its ${other.by}); migrate-repo supports only Yarn 2 and later.`,
    hint: 'Convert the monorepo first: run "yarn set version stable" and "yarn install", delete the lockfile of the other package manager, and commit.',
    data: { packageManager: other.manager, by: other.by },
  });
}

interface OtherManager {
  readonly manager: string;
  /** The file or field that shows it. */
  readonly by: string;
}

function otherManager({ manifest, files, yarnLock }: RootSigns): OtherManager | undefined {
  if (yarnLock !== undefined && yarnLock.trim() !== '')
    return indexLock(yarnLock).kind === 'classic' ? { manager: 'Yarn 1', by: 'yarn.lock' } : undefined;
  const named = namedManager(manifest);
  if (named !== undefined) return named.manager === 'yarn' ? undefined : named;
  if (yarnLock !== undefined || files.has('.yarnrc.yml')) return undefined;
  const [by, manager] = [...OTHERS].find(([file]) => files.has(file)) ?? [];
  return by === undefined || manager === undefined ? undefined : { manager, by };
}

/** Returns the manager that package.json names: `yarn` for Yarn 2 and later. */
function namedManager({ packageManager, raw }: RootSigns['manifest']): OtherManager | undefined {
  const [, name, version = ''] = /^([a-z]+)@(.*)$/.exec(packageManager ?? '') ?? [];
  if (name !== undefined) return { manager: yarnOr(name, version), by: '"packageManager"' };
  const engines = raw['devEngines'];
  const wanted = isPlainObject(engines) ? engines['packageManager'] : undefined;
  if (!isPlainObject(wanted) || typeof wanted['name'] !== 'string') return undefined;
  const range = typeof wanted['version'] === 'string' ? wanted['version'] : '';
  return { manager: yarnOr(wanted['name'], range), by: '"devEngines.packageManager"' };
}

function yarnOr(name: string, version: string): string {
  return name === 'yarn' && /^[\^~]?[01](?:\.|$)/.test(version) ? 'Yarn 1' : name;
}
