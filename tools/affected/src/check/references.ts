import { isInside, relativeTo } from '@tributary/model/paths';
import { isFixture } from '@tributary/references/file-kinds';
import type { ReferenceMap } from '@tributary/references/reference-map';
import { folderOf, ownerOf } from '@tributary/references/tree';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { unfollowedReadings } from '../reasons/undeclared.js';
import type { OpaquePlace, UndeclaredReference } from './finding.js';

/**
 * Returns the references between workspaces that no manifest declares, each pair and file once. Those in material of tests are notes:
 * it may be text that is only transformed. The root is left out, because its files may read every workspace.
 */
export function undeclaredReferences(map: ReferenceMap, rules: FileRules): readonly UndeclaredReference[] {
  const { tree } = map;
  const { members } = tree.graph;
  const listed = new Set<string>();
  return unfollowedReadings(map, rules).flatMap(({ from, target, chain, by, isPerhaps }): readonly UndeclaredReference[] => {
    if (isPerhaps === true) return [];
    const to = target.kind === 'workspace' ? target.member : ownerOf(tree, target.path);
    const [workspace, owner] = [members[from], members[to]];
    const [first] = chain;
    // The `inputs` of turbo.json are a declaration.
    const isDeclared = first !== undefined && /(^|\/)turbo\.jsonc?$/.test(first.file);
    if (isDeclared || from === tree.root || to === tree.root || workspace === undefined || owner === undefined || first === undefined)
      return [];
    const isMaterial = isInside(first.file, folderOf(tree, from)) && isFixture(relativeTo(folderOf(tree, from), first.file));
    const path = target.kind === 'file' ? target.path : undefined;
    const pair = `${from} ${to} ${path ?? ''}`;
    if (listed.has(pair)) return [];
    listed.add(pair);
    const found = { kind: 'undeclared-reference', workspace: workspace.name, target: owner.name, path, by, chain } as const;
    return [{ ...found, severity: isMaterial ? 'note' : 'hole' }];
  });
}

/** Returns the places in workspaces that may read anything below a folder outside of them. */
export function opaquePlaces({ tree, opaque }: ReferenceMap): readonly OpaquePlace[] {
  return [...opaque].flatMap(([path, referrers]) =>
    referrers.flatMap(({ by, place }): readonly OpaquePlace[] => {
      const workspace = by.kind === 'workspace' ? tree.graph.members[by.member]?.name : undefined;
      if (workspace === undefined) return [];
      const { file, line = 1, specifier } = place;
      return [{ kind: 'opaque-place', severity: 'note', workspace, file, line, specifier, path: path as OpaquePlace['path'] }];
    }),
  );
}
