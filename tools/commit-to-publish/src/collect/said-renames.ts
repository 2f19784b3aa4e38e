import type { KnownDeprecation } from './deprecation.js';
import { nameInDeprecation } from './deprecation.js';

/** What a repository has at the head of its main line, and what the registry says of it. */
interface NamedRepository {
  /** Names of its packages that are published, at any commit. */
  readonly published: ReadonlySet<string>;
  /** Names of the packages that are there now. */
  readonly present: ReadonlySet<string>;
  readonly deprecations: readonly KnownDeprecation[];
}

/** A new name that a registry says a package has. */
export interface SaidRename {
  readonly former: string;
  readonly now: string;
  /** The message of the registry. */
  readonly message: string;
  /** `joined`: both are one package. `both exist`: one repository has both, or two packages that are said to have become the same one, so that they are two. */
  readonly verdict: 'joined' | 'both exist';
}

interface KnownBefore {
  /** Names about which a configuration or an import record says something. */
  readonly known: ReadonlySet<string>;
  /** Former name -> new name, of packages that an earlier collection joined. */
  readonly kept: Readonly<Record<string, string>>;
}

/** The renames that deprecation messages name, between packages of the repositories that are collected, now or with them before. */
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
