import { streamObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { Resolution } from '../collect/adoptions.js';
import { lockedVersions } from '../collect/lock-versions.js';
import { LOCKFILES, type LockfileName } from '../collect/main-commit.js';
import type { MainLine } from '../collect/main-line.js';
import type { Micros } from '../model/event.js';
import type { Clone } from './open-clone.js';

export interface ReadResolutions {
  /** By name of the package: from which commit of the main line on it was which version. */
  readonly byPackage: ReadonlyMap<string, readonly Resolution[]>;
  /** How many contents of the lockfile are none; what it said before goes on there. */
  readonly unreadable: number;
}

/** What the lockfile at the root of a repository has resolved packages to. */
export async function readResolutions(git: Clone['git'], main: MainLine, wanted: ReadonlySet<string>): Promise<ReadResolutions> {
  const states = wanted.size === 0 ? [] : lockStates(main);
  const found = new Map<string, Resolution[]>();
  const ids = [...new Set(states.map(({ id }) => id))];
  const byId = new Map<ObjectId, ReadonlyMap<string, string> | undefined>();
  const names = new Map(states.map(({ id, name }) => [id, name]));
  for await (const group of streamObjects(git, ids))
    for (const { id, content } of group)
      byId.set(id, lockedVersions({ name: names.get(id) ?? 'yarn.lock', text: content.toString('utf8') }, wanted));
  for (const { id, at, place } of states) {
    for (const [name, version] of byId.get(id) ?? []) {
      const own = found.get(name) ?? [];
      if (own.at(-1)?.version !== version) own.push({ at, place, version });
      found.set(name, own);
    }
  }
  return { byPackage: found, unreadable: [...byId.values()].filter((versions) => versions === undefined).length };
}

interface LockState {
  readonly at: Micros;
  readonly place: number;
  readonly name: LockfileName;
  readonly id: ObjectId;
}

/** Where there are several lockfiles at once, the first of `LOCKFILES` counts. */
function lockStates({ steps }: MainLine): readonly LockState[] {
  const present = new Map<LockfileName, ObjectId>();
  return steps.flatMap(({ commit }, place): LockState[] => {
    if (commit.lockfiles.size === 0) return [];
    for (const [name, id] of commit.lockfiles) {
      if (id === undefined) present.delete(name);
      else present.set(name, id);
    }
    const name = LOCKFILES.find((lockfile) => present.has(lockfile));
    const id = name === undefined ? undefined : present.get(name);
    return name === undefined || id === undefined ? [] : [{ at: commit.at, place, name, id }];
  });
}
