import type { LockIndex } from '@tributary/lockfile/lock-index';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '../folders.js';

/** A name that leads to a path, for `portal:`, `link:`, `file:` and `exec:` in a lockfile. */
export interface BoundPath {
  readonly name: string;
  /** Relative to the project root. */
  readonly folder: RepoFolder;
}

/**
 * Returns the path of a descriptor or locator: `lib@portal:../lib::locator=app%40workspace%3Aapp` -> lib, `lib`. `undefined` for others.
 */
export function readBoundPath(descriptor: string, deepest = 5): BoundPath | undefined {
  // Nearly all have none, and the expression below would take longer to find that out.
  if (!descriptor.includes('locator=') || deepest === 0) return undefined;
  const [, name, path = '', locator = ''] =
    /^(.[^@]*)@(?:portal|link|file|exec):(.*?)(?:#.*?)?::.*?locator=([^&]*)/s.exec(descriptor) ?? [];
  const holder = decode(locator);
  const [, workspace] = /^.[^@]*@workspace:(.*)$/s.exec(holder) ?? [];
  // A package that lies at a path itself may have paths, too.
  const from = workspace === undefined ? readBoundPath(holder, deepest - 1)?.folder : resolveFolder('', workspace);
  const folder = from === undefined ? undefined : resolveFolder(from, path);
  return name === undefined || folder === undefined ? undefined : { name, folder };
}

/** Returns the paths to which descriptors of a lockfile are bound. */
export function boundPaths({ records }: Pick<LockIndex, 'records'>): readonly BoundPath[] {
  const bound = records.filter(({ key }) => key.includes('::locator=')).flatMap((record) => descriptorsOf(record));
  return bound.flatMap((descriptor) => readBoundPath(descriptor) ?? []);
}

/** Decodes a text; returns it as written if it is not encoded as Yarn does. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
