import type { RepoPath } from '@tributary/model/paths';
import type { ReferenceMap } from '@tributary/references/reference-map';
import { type BearingOf, placeText, usersOf } from '@tributary/references/users';

/** Who reads some files outside of all workspaces, for a rule about them. */
export type Verdict =
  /** Every workspace may; `evidence` says why. */
  | { readonly who: 'everybody'; readonly evidence: string }
  /** These workspaces, by name, and the root. */
  | { readonly who: 'some'; readonly workspaces: readonly string[]; readonly evidence: string };

/** A commit's references, with what its root files mean for tasks. */
export interface Searched {
  readonly map: ReferenceMap;
  readonly bearingOf: BearingOf;
}

/** Finds who reads the files. `tune` proposes only what this proves, and `check` holds every written rule against it. */
export function verdictOf({ map, bearingOf }: Searched, files: readonly RepoPath[]): Verdict {
  const names = new Set<string>();
  const places = new Set<string>();
  for (const file of files) {
    const users = usersOf(map, file, bearingOf);
    if (users.who === 'everybody') return { who: 'everybody', evidence: `${file}: ${users.because}` };
    if (users.workspaces.size === 0 && users.nobody.length === 0)
      return { who: 'everybody', evidence: `${file}: it is not known who reads it` };
    for (const [member, { chain }] of users.workspaces) {
      names.add(map.tree.graph.members[member]?.name ?? '');
      for (const place of chain.slice(0, 1)) places.add(placeText(place));
    }
    for (const place of users.nobody) places.add(placeText(place));
  }
  return { who: 'some', workspaces: [...names].sort(), evidence: `of all that can be read, ${listOf([...places])}` };
}

function listOf(places: readonly string[]): string {
  const shown = places.length > 3 ? [...places.slice(0, 2), `${places.length - 2} more places`] : places;
  return `only ${shown.join(', ')} ${places.length === 1 ? 'refers' : 'refer'} to it`;
}
