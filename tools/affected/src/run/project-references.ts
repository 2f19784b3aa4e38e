import type { RepoFolder } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Referrer } from '@tributary/references/reference-map';
import { usersOf } from '@tributary/references/users';
import type { FoundReason } from '@tributary/workspaces/affected';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import type { Searched } from '../reasons/verdict.js';
import type { SidesCompared } from './compared.js';
import { sidesThatDifferIn, type TwoCommits } from './json-sides.js';

const TSCONFIG = /(?:^|\/)[jt]sconfig[^/]*\.json$/;

/**
 * Answers for settings outside of all workspaces that have the same value as before, and for tsconfigs in which only `references` changed:
 * the projects that a build of the root begins with. No other tsconfig inherits them. Such a change selects the root, the workspaces that
 * came or went, and whoever reads the file as data.
 * Source: "Project references" and `extends` in the reference of tsconfig. Throws `GIT_FAILED`.
 */
export async function compareProjectReferences(
  inputs: TwoCommits,
  { joined, base }: SidesCompared,
  { paths, sides }: { readonly paths: readonly string[]; readonly sides: readonly Searched[] },
): Promise<{ readonly found: readonly FoundReason[]; readonly answered: readonly string[] }> {
  const found: FoundReason[] = [];
  const answered: string[] = [];
  for (const path of paths) {
    const moved = await movedProjects(inputs, path);
    const members = moved?.map((project) => owningMember(joined.graph, project) ?? joined.memberOfBase[owningMember(base, project) ?? -1]);
    const root = joined.graph.byPath.get('');
    const users = sides.map((side) => dataUsers(side, path));
    if (members === undefined || members.includes(undefined) || members.includes(root) || users.includes(undefined)) continue;
    const reason =
      moved?.length === 0
        ? ({ kind: 'file', file: path, others: 0 } as const)
        : ({ kind: 'setting', file: path, key: 'references' } as const);
    for (const member of [...members, ...users.flatMap((one) => one ?? [])])
      if (member !== undefined) found.push({ member, reach: 'dependents', reason });
    if (root !== undefined) found.push({ member: root, reach: 'itself', reason });
    answered.push(path);
  }
  return { found, answered };
}

/** Returns the projects that only one commit's `references` have; `undefined` if anything else changed, or cannot be compared. */
async function movedProjects(inputs: TwoCommits, path: string): Promise<readonly RepoFolder[] | undefined> {
  const sides = await sidesThatDifferIn(inputs, path, 'references');
  if (sides === undefined) return undefined;
  const [old, now] = sides.map(({ references = [] }) => projectsOf(references, parentFolder(path)));
  if (old === undefined || now === undefined) return undefined;
  return [...old.filter((one) => !now.includes(one)), ...now.filter((one) => !old.includes(one))];
}

function projectsOf(references: unknown, folder: RepoFolder): readonly RepoFolder[] | undefined {
  if (!Array.isArray(references)) return undefined;
  const projects = references.map((one: unknown) =>
    isPlainObject(one) && typeof one['path'] === 'string' ? resolveFolder(folder, one['path']) : undefined,
  );
  return projects.includes(undefined) ? undefined : projects.flatMap((one) => one ?? []);
}

/** Returns who reads a tsconfig otherwise than by extending it; `undefined` if everybody may. A script of the root builds with it. */
function dataUsers({ map, bearingOf }: Searched, path: string): readonly number[] | undefined {
  const isOther = ({ place, key = '' }: Referrer): boolean =>
    !(TSCONFIG.test(place.file) && key.startsWith('extends')) && !(place.file === 'package.json' && key.startsWith('scripts.'));
  const files = new Map(map.files).set(path, map.files.get(path)?.filter(isOther) ?? []);
  const users = usersOf({ ...map, files }, path, bearingOf, (file) => file === path);
  return users.who === 'everybody' ? undefined : [...users.workspaces.keys()];
}
