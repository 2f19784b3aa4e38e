import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { SettingPath } from '../reference.js';
import { readRange } from './dependency-paths.js';
import { below, type KeyedText } from './keyed-text.js';
import { moduleAt, pathAt, pathOut } from './place.js';
import { readScript } from './script-paths.js';
import { toolOfBlock } from './tools.js';

/**
 * Reads a package.json: paths of dependencies and scripts, the settings of tools, and all other paths that lead out of its folder. Names of
 * dependencies are none: they are in the graph, and in `manifestFacts`.
 */
export function readManifest(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const others = values.filter(({ keys: [block = ''] }) => toolOfBlock(block) === undefined);
  return [
    ...others.flatMap((value) => readValue(value, folder)),
    ...blocksOf(values).flatMap((block) => toolOfBlock(block)?.read(below(values, block), folder) ?? []),
  ];
}

/** Reads the names of members in the settings of tools. */
export function readManifestMembers(members: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  return blocksOf(members).flatMap((block) => toolOfBlock(block)?.readMembers?.(below(members, block), folder) ?? []);
}

function blocksOf(values: readonly KeyedText[]): readonly string[] {
  return [...new Set(values.map(({ keys: [block = ''] }) => block))];
}

const RANGES = /^(?:(?:dev|peer|optional)?[dD]ependencies|resolutions|overrides)$/;
const NO_PATHS = /^(?:dependenciesMeta|peerDependenciesMeta|workspaces|repository|bugs|author|homepage|funding|description)$/;

function readValue(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const [block = '', next = ''] = value.keys;
  if (RANGES.test(block)) return readRange(value, folder);
  if (block === 'pnpm') return readPnpm(value, next, folder);
  if (block === 'scripts') return readScript(value, folder);
  // Volta takes the version of Node from there. Of the root, a new one selects everybody anyway.
  if (block === 'volta' && resolveFolder(folder, value.text) === ('package.json' as string)) return [];
  if (block === 'browserslist') return readBrowserslist(value, folder);
  if (REPLACED.test(block) && !value.text.startsWith('.')) return moduleAt(value, folder);
  return NO_PATHS.test(block) ? [] : pathOut(value, folder);
}

/** Blocks that put one module in the place of another: those of Node, of bundlers, and of module-alias. */
const REPLACED = /^(?:imports|browser|alias|_moduleAliases)$/;

function readPnpm(value: KeyedText, block: string, folder: RepoFolder): readonly SettingPath[] {
  if (block === 'patchedDependencies') return [pathAt(value, folder)];
  return block === 'overrides' || block === 'packageExtensions' ? readRange(value, folder) : [];
}

/** `extends @acme/browserslist-config` */
function readBrowserslist(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = value.text.replace(/^extends\s+/, '');
  return text === value.text || text === '' ? [] : moduleAt({ ...value, text }, folder);
}
