import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { FileReferences, OpaquePlace } from '../reference.js';
import { readBabel } from './babel.js';
import { readApiExtractor, readLerna, readTypedoc } from './builders.js';
import { readCommands } from './commands.js';
import { readCompose } from './compose.js';
import { readDockerfile } from './dockerfile.js';
import { readEslint } from './eslint.js';
import { readJest } from './jest.js';
import { readJsonTexts } from './json-texts.js';
import { type SettingsKind, settingsKind } from './kinds.js';
import { readBiome, readOxlint, readPrettier, readStylelint } from './linters.js';
import { readLiterals } from './literals.js';
import { readManifest } from './manifest.js';
import { manifestFacts } from './manifest-facts.js';
import { readMocha } from './mocha.js';
import { readNx, readNxProject } from './nx.js';
import type { SettingsReader } from './rules.js';
import { readSwc } from './swc.js';
import { readCoverage, readCypress, readStryker, readVitestWorkspace } from './test-tools.js';
import { readTurbo } from './turbo.js';
import { readTypeScript } from './typescript.js';
import { readYamlTexts } from './yaml-texts.js';
import { readYarn } from './yarn.js';

const READERS: Readonly<Record<Exclude<SettingsKind, 'dockerfile' | 'commands' | 'loose'>, SettingsReader>> = {
  manifest: readManifest,
  typescript: readTypeScript,
  turbo: readTurbo,
  jest: readJest,
  vitest: readVitestWorkspace,
  babel: readBabel,
  swc: readSwc,
  eslint: readEslint,
  mocha: readMocha,
  coverage: readCoverage,
  cypress: readCypress,
  stryker: readStryker,
  biome: readBiome,
  oxlint: readOxlint,
  stylelint: readStylelint,
  prettier: readPrettier,
  typedoc: readTypedoc,
  'api-extractor': readApiExtractor,
  lerna: readLerna,
  nx: readNx,
  'nx-project': readNxProject,
  yarn: readYarn,
  compose: readCompose,
};

/**
 * Returns what a settings file (`isSettingsFile`) refers to. It reads as much as possible of a broken file, which may refer to anything
 * else: such a file is opaque, and reaches all of the project. Never throws.
 */
export function readSettings(path: RepoPath, text: string): Omit<FileReferences, 'path'> {
  const kind = settingsKind(path);
  const folder = parentFolder(path);
  if (kind === undefined) return { names: [], opaque: [] };
  if (kind === 'dockerfile') return { names: readDockerfile(text, folder), opaque: [] };
  if (kind === 'commands') return { names: readCommands(text, folder), opaque: [] };
  if (kind === 'loose') return { names: readLiterals(text, folder), opaque: [] };
  const { values, isWhole } = isYaml(path, text) ? readYamlTexts(text) : readJsonTexts(text);
  const names = READERS[kind](values, folder);
  // Babel reads JSON5, whose strings have other quotes.
  if (kind === 'babel' && !isWhole) return { names: [...names, ...readLiterals(text, folder)], opaque: [] };
  const found = { names, opaque: isWhole ? [] : [wholeProject(folder)] };
  return kind === 'manifest' ? { ...found, manifest: manifestFacts(values) } : found;
}

/** Files without an ending may be either. */
function isYaml(path: RepoPath, text: string): boolean {
  if (/\.ya?ml$/.test(path)) return true;
  return /(^|\/)\.\w+rc$/.test(path) && !/(^|\/)\.(babel|swc)rc$/.test(path) && !/^\uFEFF?\s*[[{/]/.test(text);
}

function wholeProject(folder: RepoFolder): OpaquePlace {
  const depth = folder === '' ? 0 : folder.split('/').length;
  return { line: 1, folder: Array.from({ length: depth }, () => '..').join('/') || '.', form: 'path' };
}
