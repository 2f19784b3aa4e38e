import { scriptsFor } from '@tributary/references/apart-scripts';
import { wordsOf } from '@tributary/references/binaries';
import { isInSettings } from '@tributary/references/own-references';
import { folderOf } from '@tributary/references/tree';
import { placeText } from '@tributary/references/users';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { Manifest } from '@tributary/workspaces/manifest';
import { buildRootOnly } from '@tributary/workspaces/root-dependencies';
import { countsForNobody } from '@tributary/workspaces/root-manifest-diff';
import { changedKeys } from '@tributary/workspaces/same-value';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';
import type { ReferenceSide } from './reference-side.js';

type Reason = FoundReason['reason'];

interface Asked {
  readonly head: ReferenceSide;
  readonly settings: readonly ToolSetting[];
}

/** A changed file of the root that only such a tool reads, or the root's manifest, of which it reads a key. */
export interface ToolSetting {
  readonly file: string;
  readonly tool: string;
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
    settings.map(({ file, tool }) => [tool, (by) => ({ kind: 'read', file, by })]),
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
      ...scriptsFor(own, taskKind).flatMap(({ text, line }) =>
        wordsOf(text)
          .flatMap(namesIn)
          .map((name) => ({ name, place: `${manifest}:${line}` })),
      ),
    ];
    const use = uses.find(({ name }) => changed.has(name));
    const reason = use && changed.get(use.name)?.(use.place);
    return reason === undefined ? [] : [{ member, reach: 'dependents', reason }];
  });
}

/** The parts of a path or package, too: `@biomejs/biome`, `node_modules/eslint/bin/eslint.js`, `markdownlint-cli2`. */
function namesIn(word: string): readonly string[] {
  return [word, ...word.split('/').map((part) => part.replace(/-cli2?$/, ''))];
}

/** `.eslintrc.json` -> `eslint` */
export function settingsOfTool(file: string): readonly ToolSetting[] {
  const [, stem = ''] = /^\.?([a-z][\w-]*?)(?:rc|ignore|cache|-suppressions|-cli2)?(?:\..*)?$/.exec(file) ?? [];
  // That of Yarn are constraints, which only `yarn constraints` checks.
  if (stem === 'yarn') return [];
  const tool = file.startsWith('.changeset/') ? 'changeset' : stem === 'editorconfig' ? 'prettier' : stem;
  return tool === '' ? [] : [{ file, tool }];
}

/** The same for a key of the root's package.json: `eslintConfig` -> `eslint`. */
export function toolsOfManifest(base: Manifest, head: Manifest, kind: TaskKind = 'test'): readonly ToolSetting[] {
  const changed = changedKeys(base.raw, head.raw, () => 'counts');
  const ofTools = changed.filter((key) => countsForNobody(key, kind) && !countsForNobody(key, 'other'));
  return ofTools.map((key) => ({ file: 'package.json', tool: key.replace(/(?:Config|Ignore)$/, '') }));
}

function rootDependency({ reason }: FoundReason): readonly (readonly [name: string, reason: Reason])[] {
  if (reason.kind === 'lockfile') return [[reason.dependency, reason]];
  const [, name] = (reason.kind === 'setting' && /^dependencies\.(.+)$/.exec(reason.key)) || [];
  return name === undefined ? [] : [[name, reason]];
}
