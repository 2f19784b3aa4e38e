import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { readBabel } from './babel.js';
import { readTypedoc } from './builders.js';
import { readRange } from './dependency-paths.js';
import { readEslint } from './eslint.js';
import { readJest } from './jest.js';
import { below, type KeyedText } from './keyed-text.js';
import { readPrettier, readStylelint } from './linters.js';
import { readMocha } from './mocha.js';
import { readNxProject } from './nx.js';
import { moduleAt, pathAt, pathOut } from './place.js';
import type { SettingsReader } from './rules.js';
import { readScript } from './script-paths.js';
import { readAva, readCoverage } from './test-tools.js';

/**
 * Reads a package.json: paths of dependencies and scripts, the settings of tools, and all other paths that lead out of its folder. Names of
 * dependencies are none: they are in the graph, and in `manifestFacts`.
 */
export function readManifest(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const tools = new Set(values.flatMap(({ keys: [block = ''] }) => (TOOLS.has(block) ? [block] : [])));
  const others = values.filter(({ keys: [block = ''] }) => !TOOLS.has(block));
  return [
    ...others.flatMap((value) => readValue(value, folder)),
    ...[...tools].flatMap((block) => TOOLS.get(block)?.(below(values, block), folder) ?? []),
  ];
}

/** The blocks with the settings of a tool. */
const TOOLS: ReadonlyMap<string, SettingsReader> = new Map([
  ['ava', readAva],
  ['babel', readBabel],
  ['c8', readCoverage],
  ['eslintConfig', readEslint],
  ['jest', readJest],
  ['mocha', readMocha],
  ['nx', readNxProject],
  ['nyc', readCoverage],
  ['prettier', readPrettier],
  ['stylelint', readStylelint],
  ['typedocOptions', readTypedoc],
]);

const RANGES = /^(?:(?:dev|peer|optional)?[dD]ependencies|resolutions|overrides)$/;
const NO_PATHS = /^(?:dependenciesMeta|peerDependenciesMeta|workspaces|repository|bugs|author|homepage|funding|description)$/;

function readValue(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const [block = '', next = ''] = value.keys;
  if (RANGES.test(block)) return readRange(value, folder);
  if (block === 'pnpm') return readPnpm(value, next, folder);
  if (block === 'scripts') return readScript(value, folder);
  if (block === 'browserslist') return readBrowserslist(value, folder);
  return NO_PATHS.test(block) ? [] : pathOut(value, folder);
}

function readPnpm(value: KeyedText, block: string, folder: RepoFolder): readonly SettingPath[] {
  if (block === 'patchedDependencies') return [pathAt(value, folder)];
  return block === 'overrides' || block === 'packageExtensions' ? readRange(value, folder) : [];
}

/** `extends @acme/browserslist-config` */
function readBrowserslist(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = value.text.replace(/^extends\s+/, '');
  return text === value.text || text === '' ? [] : moduleAt({ ...value, text }, folder);
}
