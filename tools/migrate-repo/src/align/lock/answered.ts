import { nameOf } from '@tributary/lockfile/descriptors';
import { pairsOf, versionOf } from '@tributary/lockfile/record';
import { normalizeRange } from '@tributary/workspaces/lock/resolutions';
import { readIndex } from './root-lock.js';
import { resolutionsIn } from './survival.js';

/** A package of the registry that asks for a package which a workspace answers. */
export interface Answered {
  /** The workspace. */
  readonly name: string;
  /** `npm:^1.0.0` */
  readonly range: string;
  /** Who asks: `rimraf@5.0.1`. */
  readonly by: string;
}

/** Where a yarn.lock leads from outside into workspaces, in the order of the file. `resolutions` are not applied. Throws `LOCKFILE_INVALID`. */
export function answeredIn(text: string): readonly Answered[] {
  const resolutions = resolutionsIn(text);
  return (readIndex(text)?.records ?? []).flatMap((record) => {
    if (record.workspace !== undefined) return [];
    const by = `${nameOf(record.resolution)}@${versionOf(record)}`;
    return pairsOf(record).flatMap(([name, written]): readonly Answered[] => {
      const range = normalizeRange(written);
      return resolutions.get(`${name}@${range}`)?.isWorkspace === true ? [{ name, range, by }] : [];
    });
  });
}

/** Those of the second lockfile that the first does not have. */
export function newlyAnswered(before: string, after: string): readonly Answered[] {
  const idOf = ({ name, range, by }: Answered): string => `${by} ${name}@${range}`;
  const known = new Set(answeredIn(before).map(idOf));
  return answeredIn(after).filter((one) => !known.has(idOf(one)));
}
