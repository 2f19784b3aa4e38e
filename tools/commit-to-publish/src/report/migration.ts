import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';

/** A package that moved into the monorepo, according to its import record or the configuration. */
export interface Migration {
  readonly package: string;
  /** When its branch was merged into the main line. */
  readonly at: Micros;
  /** The merge commit with the import record, or the commit that the configuration names. */
  readonly merge: CommitId;
  /** The commit that brought it to the main line; `merge` itself if that lies on the main line. */
  readonly landing: CommitId;
  /** The source repository, without credentials; `undefined` if only the configuration names the move. */
  readonly source: string | undefined;
}

/** Packages that one commit of the main line imported. */
export interface PackageMove {
  readonly at: Micros;
  /** By name. */
  readonly packages: readonly string[];
}

/** Returns the moves from `since` up to, but not including, `until`, the oldest first. Packages of one landing are one move. */
export function movesIn(
  migrations: readonly Migration[],
  { since, until }: { readonly since: Micros; readonly until: Micros },
): readonly PackageMove[] {
  const moves = new Map<CommitId, { readonly at: Micros; readonly packages: string[] }>();
  for (const { landing, at, package: name } of migrations) {
    if (at < since || at >= until) continue;
    const move = moves.get(landing) ?? { at, packages: [] };
    moves.set(landing, { at, packages: [...move.packages, name].sort() });
  }
  return [...moves.values()].sort((a, b) => a.at - b.at);
}
