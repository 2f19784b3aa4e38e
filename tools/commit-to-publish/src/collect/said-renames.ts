import type { KnownDeprecation } from './deprecation.js';
import { nameInDeprecation } from './deprecation.js';

/** The packages of a repository, and their deprecation messages. */
interface NamedRepository {
  /** Names of its packages that are published, at any commit. */
  readonly published: ReadonlySet<string>;
  /** Names of the packages at the head of the main line. */
  readonly present: ReadonlySet<string>;
  readonly deprecations: readonly KnownDeprecation[];
}

/** A new name of a package, according to a registry. */
export interface SaidRename {
  readonly former: string;
  readonly now: string;
  /** The registry's message. */
  readonly message: string;
  /**
   * `joined`: both names are one package. `both exist`: they stay separate, because one repository has both, or because two packages would
   * get the same new name.
   */
  readonly verdict: 'joined' | 'both exist';
}

interface KnownBefore {
  /** Names that the configuration or an import record mentions. */
  readonly known: ReadonlySet<string>;
  /** Former name -> new name of packages that an earlier collection joined. */
  readonly kept: Readonly<Record<string, string>>;
}

/** Returns the renames in deprecation messages between packages of the repositories collected now, or joined before. */
export function saidRenames(repositories: readonly NamedRepository[], { known, kept }: KnownBefore): readonly SaidRename[] {
  const isCollected = (former: string, now: string): boolean =>
    kept[former] === now || repositories.some(({ published }) => published.has(now));
  const found = new Map<string, SaidRename>();
  for (const { package: former, message } of repositories.flatMap(({ deprecations }) => deprecations)) {
    const now = nameInDeprecation(message);
    if (now === undefined || now === former || known.has(former) || !isCollected(former, now)) continue;
    const isBoth = repositories.some(({ present }) => present.has(former) && present.has(now));
    found.set(former, { former, now, message, verdict: isBoth ? 'both exist' : 'joined' });
  }
  const isRivalOf =
    ({ former, now }: SaidRename) =>
    (one: SaidRename): boolean =>
      one.now === now && one.former !== former && repositories.some(({ published }) => published.has(former) && published.has(one.former));
  return [...found.values()].map((one, _, all) => (all.some(isRivalOf(one)) ? { ...one, verdict: 'both exist' } : one));
}
