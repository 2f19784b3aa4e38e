import type { Layout, PackageAtCommit } from './layout.js';
import type { MainLine } from './main-line.js';
import { renamesOf } from './renames.js';

/** A package of the main line that got another name in the same folder, with one commit. */
export interface Renamed {
  readonly former: string;
  readonly name: string;
  readonly commit: string;
}

/**
 * Returns the packages that got another name in their folder while somebody could publish them, and whose former name is gone. Of several
 * renames of a name the last counts. Names that lead back to themselves are left out.
 */
export function renamedIn({ steps, countedPrivate }: Pick<MainLine, 'steps' | 'countedPrivate'>): readonly Renamed[] {
  const found = new Map<string, Renamed>();
  const isPublished = ({ name, isPrivate }: PackageAtCommit): boolean => !isPrivate || countedPrivate.has(name);
  for (const [at, { layout, commit }] of steps.entries()) {
    const before = steps[at - 1]?.layout;
    if (before === undefined || before === layout) continue;
    const [names, namesBefore] = [namesIn(layout), namesIn(before)];
    for (const [folder, member] of layout) {
      const was = before.get(folder);
      if (was === undefined || names.has(was.name) || namesBefore.has(member.name) || ![was, member].every(isPublished)) continue;
      found.set(was.name, { former: was.name, name: member.name, commit: commit.id });
    }
  }
  const there = namesIn(steps.at(-1)?.layout ?? new Map());
  const gone = [...found.values()].filter(({ former }) => !there.has(former));
  const nameNow = renamesOf(gone.map(({ former, name }) => [former, name]));
  return gone.filter(({ former }) => nameNow(former) !== former);
}

function namesIn(layout: Layout): ReadonlySet<string> {
  return new Set([...layout.values()].map(({ name }) => name));
}
