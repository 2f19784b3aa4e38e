import { countOf } from '../text.js';
import { faultWarnings, type ObjectFault } from './object-faults.js';
import type { PlannedTag } from './plan-tags.js';
import { findUnportable } from './unportable-paths.js';

/** A file of a commit, with its size in bytes. */
export interface LargeFile {
  readonly path: string;
  readonly size: number;
}

/** Problems of a source that are no reason to reject it. */
export interface SourceConcerns {
  readonly name: string;
  readonly faults: readonly ObjectFault[];
  /** Paths in the last commit, as bytes in Latin-1 text. */
  readonly paths: readonly string[];
  /** Files of any commit from 50 MiB, the largest first. */
  readonly large: readonly LargeFile[];
  /** Paths, in any commit, of Git LFS pointers whose content is not in the monorepo. */
  readonly missingLfs: readonly string[];
  /** Tags that name a version, at commits without a package.json. */
  readonly unversioned: readonly PlannedTag[];
  /** Tags that keep their names in full. */
  readonly apart: readonly PlannedTag[];
  /** Tags that are not imported, because another one on their commit gets the same name. */
  readonly twins: readonly PlannedTag[];
}

/** Returns warnings about machines and servers that may reject the imported files. */
export function sourceWarnings({ name, faults, paths, apart, twins, unversioned, large, missingLfs }: SourceConcerns): readonly string[] {
  const { windows, colliding } = findUnportable(paths);
  return [
    ...faultWarnings(name, faults),
    ...largeFiles(name, large),
    ...unlessEmpty(
      missingLfs,
      `The history of ${name} has ${countOf(missingLfs.length, 'file')} in Git LFS whose content is not in the monorepo, in older commits too: ${shown(missingLfs)}. Before the source goes, run "git lfs fetch --all" in it, and copy its .git/lfs/objects into the .git/lfs/objects of the monorepo.`,
    ),
    ...unlessEmpty(
      apart,
      `${countOf(apart.length, 'tag')} of ${name} would have the same name as another one on a different commit, and got another: ${shown(apart.map((tag) => `${tag.name} is ${tag.newName}`))}.`,
    ),
    ...unlessEmpty(
      twins,
      `${countOf(twins.length, 'tag')} of ${name} would have the same name as another one on the same commit, and ${twins.length === 1 ? 'is' : 'are'} left out: ${shown(twins.map((tag) => `${tag.name} as ${tag.newName}`))}.`,
    ),
    ...unlessEmpty(
      unversioned,
      `${countOf(unversioned.length, 'tag')} of ${name} ${unversioned.length === 1 ? 'names' : 'name'} a version at a commit without a package.json: ${shown(unversioned.map((tag) => `${tag.name} is ${tag.newName}`))}.`,
    ),
    ...unlessEmpty(windows, `Windows cannot check out ${countOf(windows.length, 'path')} of ${name}: ${shown(windows)}.`),
    ...unlessEmpty(
      colliding,
      `On file systems that ignore case or the form of accents (Windows, macOS), ${countOf(colliding.length, 'path')} of ${name} ${colliding.length === 1 ? 'is' : 'are'} not unique: ${shown(colliding.map((group) => group.join(' and ')))}.`,
    ),
  ];
}

function unlessEmpty(found: readonly unknown[], warning: string): readonly string[] {
  return found.length === 0 ? [] : [warning];
}

/** The limit from which GitHub rejects a push. */
const REJECTED = 100 * 1024 * 1024;

function largeFiles(name: string, large: readonly LargeFile[]): readonly string[] {
  const tell = (some: readonly LargeFile[], what: string): readonly string[] =>
    unlessEmpty(
      some,
      `The history of ${name} has ${countOf(some.length, 'file')} ${what}: ${shown(some.map(({ path, size }) => `${path} (${Math.round(size / 1024 / 1024)} MiB)`))}.`,
    );
  return [
    ...tell(
      large.filter(({ size }) => size > REJECTED),
      'over 100 MiB, so GitHub and others reject every push of a branch or tag that has them; remove them in the source first, with git filter-repo or git lfs migrate',
    ),
    ...tell(
      large.filter(({ size }) => size <= REJECTED),
      'over 50 MiB, which GitHub warns about',
    ),
  ];
}

const SHOWN = 3;

function shown(all: readonly string[]): string {
  const first = all.slice(0, SHOWN).map((one) => JSON.stringify(one).slice(1, -1));
  return `${first.join(', ')}${all.length > SHOWN ? ', …' : ''}`;
}
