import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoPath } from '@tributary/model/paths';
import { roleOf } from '@tributary/references/file-roles';
import type { Place } from '@tributary/references/own-references';
import type { BearingOf, Users } from '@tributary/references/users';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { Mentions } from './compare-ci-files.js';
import type { SidesCompared } from './compared.js';
import type { ReferenceSide } from './reference-side.js';

/** A job of a pipeline that cannot run the task matters to nobody, whatever it names. */
export function withPipelines(bearingOf: BearingOf, rules: FileRules, names: Mentions | undefined): BearingOf {
  if (names === undefined) return bearingOf;
  return (file, key, specifier) => {
    const bearing = bearingOf(file, key);
    if (bearing !== 'everybody' || specifier === undefined) return bearing;
    return rules(file, 'outside')?.source === 'built-in' && !names({ file, specifier }) ? 'nobody' : bearing;
  };
}

interface Sides {
  readonly head: ReferenceSide;
  readonly base: ReferenceSide | undefined;
}

interface Asked {
  readonly files: readonly ChangedFile[];
  /** Tells whether only the root reads a file, by what it is. */
  readonly isOfRoot: (path: string) => boolean;
  readonly bearingIn: (bearingOf: BearingOf) => BearingOf;
}

interface Readers {
  readonly found: readonly FoundReason[];
  readonly answered: readonly string[];
  readonly whyUnclaimed?: ReadonlyMap<string, string>;
}

/** Returns the readers of files outside of all workspaces; if everybody may read one of them, only why. Throws `GIT_FAILED`. */
export async function findOutsideReaders(
  { head, base }: Sides,
  { files, isOfRoot, bearingIn }: Asked,
  { joined }: SidesCompared,
): Promise<Readers> {
  const found: FoundReason[] = [];
  if (files.length === 0) return { found, answered: [] };
  const { placeText, usersOf } = await import('@tributary/references/users');
  const root = joined.graph.byPath.get('');
  for (const { path, status } of files) {
    if (root !== undefined)
      found.push({
        member: root,
        reach: 'itself',
        reason: { kind: 'file', file: path, others: 0, ...(isOfRoot(path) && roleOf(path) === 'tests' ? { role: 'tests' as const } : {}) },
      });
    const atHead = status === 'deleted' ? undefined : head;
    const atBase = status === 'added' ? undefined : (base ?? head);
    for (const side of [atHead, atBase]) {
      if (side === undefined) continue;
      const { map, bearingOf: bearingOfFiles } = await side.searched();
      const bearingOf = bearingIn(bearingOfFiles);
      // A setting that tools find by its name is loaded for all tests.
      const isKnown = (file: string): boolean => isOfRoot(file) && bearingOf(file as RepoPath, undefined) !== 'everybody';
      const users = usersOf(map, path, bearingOf, isKnown);
      if (!isProven(users, isKnown(path)))
        return { found: [], answered: [], whyUnclaimed: new Map([[path, whyUnproven(users, placeText)]]) };
      for (const [reader, { chain, isOpaque }] of users.workspaces) {
        const member = side === head ? reader : joined.memberOfBase[reader];
        const place = chain.map(placeText).join(' > ');
        const by = isOpaque ? `${place} perhaps` : place;
        if (member !== undefined) found.push({ member, reach: 'dependents', reason: { kind: 'read', file: path, by } });
      }
    }
  }
  return { found, answered: files.map(({ path }) => path) };
}

function whyUnproven(users: Users, textOf: (place: Place) => string): string {
  if (users.who === 'everybody') return users.because;
  const [perhaps] = users.workspaces.values();
  const last = perhaps?.chain.at(-1);
  if (last !== undefined) return `it is only known that ${textOf(last)} may read it`;
  const [place] = users.nobody;
  return place === undefined ? 'nothing is known to read it' : `only ${textOf(place)} refers to it, which no task reads`;
}

/** Tells whether workspaces are known to read a file. That nobody is known to read it proves nothing. */
function isProven(users: Users, isKnown: boolean): users is Extract<Users, { who: 'some' }> {
  return users.who === 'some' && (isKnown || [...users.workspaces.values()].some(({ isOpaque }) => !isOpaque));
}
