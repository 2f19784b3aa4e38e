import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { yarnClassic, yarnRelease } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { LOCKFILE_NAME, type LockfileOrder, lockfileInput, lockfileKey, publicLockfile } from '../organisation/lockfile.js';
import type { PackageManager } from '../organisation/story.js';
import { runManager, type Surroundings } from './package-managers.js';

export interface LockfileMaker extends Surroundings {
  readonly onDone: (order: LockfileOrder) => void;
}

/** Returns the lockfile of an order. */
export type LockfileOf = (order: LockfileOrder) => string;

// Each uses most of a core; more at once would only wait for each other.
const AT_ONCE = 4;

/** Makes the lockfiles with the real package managers, against the local registry. Several run at once, and equal orders only once. */
export async function makeLockfiles(orders: readonly LockfileOrder[], maker: LockfileMaker): Promise<LockfileOf> {
  const waiting = [...new Map(orders.map((order) => [lockfileKey(order), order]))];
  const made = new Map<string, string>();
  const place = new TempFolder();
  const make = async ([key, order]: readonly [string, LockfileOrder]): Promise<void> => {
    made.set(key, await makeLockfile(order, place.join(String(waiting.length)), maker));
    maker.onDone(order);
  };
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await make(next).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  try {
    // Every program has ended before its folder is removed, even if one of them failed.
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    place.dispose();
  }
  return (order) => publicLockfile(order, found(made, lockfileKey(order)), maker.registry.url);
}

async function makeLockfile(order: LockfileOrder, folder: AbsolutePath, maker: LockfileMaker): Promise<string> {
  for (const [path, text] of Object.entries(lockfileInput(order))) write(join(folder, path), text);
  const name = LOCKFILE_NAME[order.manager];
  // An empty lockfile marks the project root for Yarn 4. npm would treat it as broken.
  if (order.manager === 'Yarn 4') write(join(folder, name), '');
  // Each has a separate home: two parallel runs of Yarn 1 conflict in one cache.
  const home = parseAbsolutePath(join(folder, '.home'));
  const failure = `${order.manager} could not make the lockfile of ${order.project.manifest.name}`;
  await runManager(command(order.manager, maker.root), { folder, home, failure }, maker);
  return readFileSync(join(folder, name), 'utf8');
}

function command(manager: PackageManager, root: AbsolutePath): readonly [string, ...string[]] {
  switch (manager) {
    case 'npm':
      return ['npm', 'install', '--package-lock-only', '--ignore-scripts'];
    case 'Yarn 1':
      return [process.execPath, yarnClassic(root), 'install', '--ignore-scripts', '--non-interactive'];
    case 'Yarn 4':
      return [process.execPath, yarnRelease(root), 'install', '--mode=update-lockfile', '--no-immutable'];
  }
}

function found(made: ReadonlyMap<string, string>, key: string): string {
  const text = made.get(key);
  if (text === undefined) throw new Error(`Nobody has ordered this lockfile: ${key}`);
  return text;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
