import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';

/** A package that moved into the monorepo, as its import record or the configuration says. */
export interface Migration {
  readonly package: string;
  /** When its branch was merged into the main line. */
  readonly at: Micros;
  /** The merge commit that carries the record, or the commit that the configuration names. */
  readonly merge: CommitId;
  /** The commit of the main line that brought it; `merge` itself where that lies on the main line. */
  readonly landing: CommitId;
  /** Where it came from, without credentials; `undefined`: only the configuration knows of the move. */
  readonly source: string | undefined;
}

/** Packages that came with one commit of the main line. */
export interface PackageMove {
  readonly at: Micros;
  /** By name. */
  readonly packages: readonly string[];
}

/** The moves from `since` on and before `until`, the oldest first. */
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
