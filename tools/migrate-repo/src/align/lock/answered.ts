import { nameOf } from '@tributary/lockfile/descriptors';
import { ownerOf } from '@tributary/lockfile/lock-index';
import { pairsOf, versionOf } from '@tributary/lockfile/record';
import { type LockRules, References } from '@tributary/workspaces/lock/references';
import { normalizeRange } from '@tributary/workspaces/lock/resolutions';
import { descriptorsFor } from './got.js';
import { readIndex } from './root-lock.js';

/** A registry package whose request a workspace answers. */
export interface Answered {
  /** The workspace. */
  readonly name: string;
  /** `npm:^1.0.0` */
  readonly range: string;
  /** The dependent: `rimraf@5.0.1`. */
  readonly by: string;
}

/** A yarn.lock, and the root's settings that affect it. */
export interface LockWithRules {
  readonly text: string;
  readonly rules: LockRules;
}

/** Returns the requests of registry packages in a yarn.lock that workspaces answer, in the order of the file. Throws `LOCKFILE_INVALID`. */
export function answeredIn({ text, rules }: LockWithRules): readonly Answered[] {
  const index = readIndex(text);
  if (index === undefined) return [];
  const references = new References(index, rules);
  return index.records.flatMap((parent) => {
    if (parent.workspace !== undefined) return [];
    const by = `${nameOf(parent.resolution)}@${versionOf(parent)}`;
    return pairsOf(parent).flatMap(([name, range]): readonly Answered[] => {
      const isLed = descriptorsFor(references, { parent, name, range }).some((number) => ownerOf(index, number)?.workspace !== undefined);
      return isLed ? [{ name, range: normalizeRange(range), by }] : [];
    });
  });
}

/** Returns the ones in the second lockfile that the first lacks. */
export function newlyAnswered(before: LockWithRules, after: LockWithRules): readonly Answered[] {
  const idOf = ({ name, range, by }: Answered): string => `${by} ${name}@${range}`;
  const known = new Set(answeredIn(before).map(idOf));
  return answeredIn(after).filter((one) => !known.has(idOf(one)));
}
