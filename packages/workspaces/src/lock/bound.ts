import type { LockIndex } from '@tributary/lockfile/lock-index';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '../folders.js';

/** A name that leads to a path: what `portal:`, `link:`, `file:` and `exec:` stand for in a lockfile. */
export interface BoundPath {
  readonly name: string;
  /** From the root of the project. */
  readonly folder: RepoFolder;
}

/** `lib@portal:../lib::locator=app%40workspace%3Aapp` -> lib, `lib`. `undefined` for every other descriptor and locator. */
export function readBoundPath(descriptor: string): BoundPath | undefined {
  // Nearly all have none, and the expression below takes its time to find that out.
  if (!descriptor.includes('locator=')) return undefined;
  const [, name, path = '', locator = ''] =
    /^(.[^@]*)@(?:portal|link|file|exec):(.*?)(?:#.*?)?::.*?locator=.*?%40workspace%3A([^&]*)/s.exec(descriptor) ?? [];
  const from = name === undefined ? undefined : resolveFolder('', decode(locator));
  const folder = from === undefined ? undefined : resolveFolder(from, path);
  return name === undefined || folder === undefined ? undefined : { name, folder };
}

/** Where the descriptors of a lockfile lead that are bound to a path. */
export function boundPaths({ records }: Pick<LockIndex, 'records'>): readonly BoundPath[] {
  const bound = records.filter(({ key }) => key.includes('::locator=')).flatMap((record) => descriptorsOf(record));
  return bound.flatMap((descriptor) => readBoundPath(descriptor) ?? []);
}

/** As written where it is not encoded as Yarn would. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
