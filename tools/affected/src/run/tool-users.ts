import type { RepoPath } from '@tributary/model/paths';
import { scriptsFor, tasksOf } from '@tributary/references/apart-scripts';
import { wordsOf } from '@tributary/references/binaries';
import { isCodeSettings } from '@tributary/references/file-kinds';
import { commandsIn, isInSettings, type OwnReferences } from '@tributary/references/own-references';
import type { ManifestFacts } from '@tributary/references/reference';
import type { ReferenceMap } from '@tributary/references/reference-map';
import { followScripts } from '@tributary/references/script-calls';
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
  /** Tells of the name of a file in the root whether it has settings of such a tool. */
  readonly isOfTool: (file: string) => boolean;
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
  { head, settings, isOfTool }: Asked,
  { joined, found, all }: SidesCompared,
): Promise<readonly FoundReason[]> {
  if (all !== undefined) return [];
  const root = joined.graph.byPath.get('') ?? -1;
  // What a user lists is the user's to know.
  const isKnown = buildRootOnly([], taskKind);
  const changed = new Map<string, (place: string) => Reason>(
    settings.map(({ file, tool }) => [tool, (by) => ({ kind: 'read', file, by })]),
  );
  for (const [name, reason] of found.flatMap((one) => (one.member === root ? rootDependency(one) : [])))
    for (const part of isKnown(name) ? [name, ...partsOf(name).filter(isKnown)] : []) changed.set(part, () => reason);
  if (changed.size === 0) return [];
  const { map } = await head.searched();
  const toolIn = (text: string): string | undefined =>
    wordsOf(text)
      .flatMap(partsOf)
      .find((name) => changed.has(name));
  // Only what is written names a tool: any word in settings may be the name of a plugin.
  const isForTasks = (one: OwnReferences['packages'][number]): boolean =>
    one.isLengthened !== true && (!isInSettings(one) || !isSettingOfTool(one, { taskKind, isOfTool }));
  const inFiles = (own: OwnReferences): readonly Use[] =>
    own.packages.flatMap((one) => (isForTasks(one) ? [{ text: one.name, place: placeText(one.place) }] : []));
  const forAll = [...map.collected.rootFiles].flatMap(([file, own]) => (isCodeSettings(file as RepoPath) ? inFiles(own) : []));
  const inScripts = scriptTexts(map, { root, taskKind });
  return [...map.collected.workspaces].flatMap(([member, own]): readonly FoundReason[] => {
    if (member === root) return [];
    const use = [...inFiles(own), ...(inScripts.get(member) ?? []), ...forAll].find(({ text }) => toolIn(text) !== undefined);
    const reason = use && changed.get(toolIn(use.text) ?? '')?.(use.place);
    return reason === undefined ? [] : [{ member, reach: 'dependents', reason }];
  });
}

/** A text that may name a tool. */
interface Use {
  readonly text: string;
  readonly place: string;
}

/** Returns, by workspace, the scripts that its tasks run, of its own and of the root. */
function scriptTexts({ tree, collected }: ReferenceMap, asked: { readonly root: number; readonly taskKind: TaskKind }): Map<number, Use[]> {
  const tasks = tasksOf(collected, asked.taskKind);
  const ofRoot = collected.workspaces.get(asked.root)?.manifest?.scripts ?? [];
  const needed = new Set(tasks.needed.flatMap((one) => (one.in === '//' ? [one.needs] : [])));
  const texts = new Map<number, Use[]>();
  const scripts = tree.graph.members.map((_, member): ManifestFacts['scripts'] => {
    if (member === asked.root) return ofRoot;
    const own = scriptsFor(collected.workspaces.get(member) ?? { packages: [], paths: [], files: [], extended: [] }, tasks);
    const manifest = `${folderOf(tree, member)}/package.json`;
    texts.set(member, [
      ...own.map(({ text, line }) => ({ text, place: `${manifest}:${line}` })),
      ...(collected.workspaces.get(member)?.commands ?? []).map((place) => ({ text: place.specifier, place: placeText(place) })),
      ...ofRoot.flatMap(({ name, text, line }) => (needed.has(name) ? [{ text, place: `package.json:${line}` }] : [])),
    ]);
    return own;
  });
  for (const { from, chain, text } of followScripts(tree, scripts, commandsIn(collected)).ofRoot) {
    const { command, script = '' } = chain[0] ?? {};
    const place = command === undefined ? `${folderOf(tree, from)}/package.json, script ${script}` : placeText(command);
    texts.get(from)?.push({ text, place });
  }
  return texts;
}

/** Tells whether the settings that name a package are those of such a tool, too: a plugin of a linter. */
function isSettingOfTool(
  { key = '', place }: OwnReferences['packages'][number],
  { taskKind, isOfTool }: Pick<Asked, 'isOfTool'> & { readonly taskKind: TaskKind },
): boolean {
  const file = place.file.slice(place.file.lastIndexOf('/') + 1);
  return file === 'package.json' ? countsForNobody(key.split('.', 1)[0] ?? '', taskKind) : isOfTool(file);
}

/** The parts of a path or package, and their words: `@biomejs/biome`, `node_modules/eslint/bin/eslint.js`, `jest-runner-eslint`. */
function partsOf(word: string): readonly string[] {
  return word.split('/').flatMap((part) => [part, part.replaceAll('-', ''), ...part.split(/[^A-Za-z\d]+/)]);
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
