import { scriptsFor } from '@tributary/references/apart-scripts';
import { wordsOf } from '@tributary/references/binaries';
import { isInSettings } from '@tributary/references/own-references';
import { folderOf } from '@tributary/references/tree';
import { placeText } from '@tributary/references/users';
import type { FoundReason } from '@tributary/workspaces/affected';
import { buildRootOnly } from '@tributary/workspaces/root-dependencies';
import type { SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';
import type { ReferenceSide } from './reference-side.js';

type Reason = FoundReason['reason'];

interface Asked {
  readonly head: ReferenceSide;
  /** Changed files of the root that only such tools read. */
  readonly settings: readonly string[];
}

/**
 * Returns the workspaces whose code or scripts name a tool that no test of another one loads, if the root's dependency on it or its settings
 * changed: a formatter that a test starts, `eslint . && jest`.
 */
export async function findToolUsers(
  { taskKind = 'test' }: AffectedInputs,
  { head, settings }: Asked,
  { joined, found, all }: SidesCompared,
): Promise<readonly FoundReason[]> {
  if (all !== undefined) return [];
  const root = joined.graph.byPath.get('');
  // What a user lists is the user's to know.
  const isKnown = buildRootOnly([], taskKind);
  const changed = new Map<string, (place: string) => Reason>(
    settings.flatMap((file) => toolsOf(file).map((tool) => [tool, (by: string): Reason => ({ kind: 'read', file, by })] as const)),
  );
  for (const [name, reason] of found.flatMap((one) => (one.member === root ? rootDependency(one) : [])))
    if (isKnown(name)) changed.set(name, () => reason);
  if (changed.size === 0) return [];
  const { map } = await head.searched();
  return [...map.collected.workspaces].flatMap(([member, own]): readonly FoundReason[] => {
    if (member === root) return [];
    const manifest = `${folderOf(map.tree, member)}/package.json`;
    const uses = [
      ...own.packages.flatMap((one) => (isInSettings(one) ? [] : [{ name: one.name, place: placeText(one.place) }])),
      ...scriptsFor(own, taskKind).flatMap(({ text, line }) => wordsOf(text).map((name) => ({ name, place: `${manifest}:${line}` }))),
    ];
    const use = uses.find(({ name }) => changed.has(name));
    const reason = use && changed.get(use.name)?.(use.place);
    return reason === undefined ? [] : [{ member, reach: 'dependents', reason }];
  });
}

/** `.eslintrc.json` -> `eslint` */
function toolsOf(file: string): readonly string[] {
  const [, stem = ''] = /^\.?([a-z][\w-]*?)(?:rc|ignore|cache|-suppressions|-cli2)?(?:\..*)?$/.exec(file) ?? [];
  if (stem === 'editorconfig') return ['prettier'];
  // Its settings are constraints, which only `yarn constraints` checks.
  return stem === 'yarn' || stem === '' ? [] : [stem];
}

function rootDependency({ reason }: FoundReason): readonly (readonly [name: string, reason: Reason])[] {
  if (reason.kind === 'lockfile') return [[reason.dependency, reason]];
  const [, name] = (reason.kind === 'setting' && /^dependencies\.(.+)$/.exec(reason.key)) || [];
  return name === undefined ? [] : [[name, reason]];
}
