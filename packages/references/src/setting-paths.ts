import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import { visit } from 'jsonc-parser';
import type { ManifestFacts, SettingPath } from './reference.js';

/**
 * Lists the paths of a settings file (`isSettingsFile`) that may lead out of its folder, in order. It accepts comments and trailing commas,
 * and reads as much as possible of a broken file. It omits output paths of tools (`outDir`).
 */
export function readSettingPaths(file: RepoPath, text: string): readonly SettingPath[] {
  const values = readTexts(text);
  const name = file.slice(file.lastIndexOf('/') + 1);
  const folder = parentFolder(file);
  if (/^[jt]sconfig/.test(name)) return readTypeScript(values, folder);
  const found = name === 'package.json' ? values.flatMap(readManifestText) : values.filter(({ text: value }) => isPath(value));
  return found.map(({ key, line, text: specifier }) => ({ ...cut(specifier), line, key, base: folder, form: 'text' }));
}

interface KeyedText {
  readonly key: string;
  readonly line: number;
  readonly text: string;
}

function readTexts(text: string): readonly KeyedText[] {
  const found: KeyedText[] = [];
  visit(
    text,
    {
      onLiteralValue: (value: unknown, ...[, , startLine, , pathSupplier]) => {
        if (typeof value === 'string' && value !== '') found.push({ key: pathSupplier().join('.'), line: startLine + 1, text: value });
      },
    },
    { allowTrailingComma: true },
  );
  return found;
}

function isPath(text: string): boolean {
  return /^(\.\/)*\.\.\/|^<rootDir>\/(.*\/)?\.\.(\/|$)/.test(text);
}

const DEPENDENCIES = /^((dev|peer|optional)?[dD]ependencies|resolutions|dependenciesMeta|workspaces|repository|bugs|author|homepage)(\.|$)/;

function readManifestText(value: KeyedText): readonly KeyedText[] {
  if (DEPENDENCIES.test(value.key)) return [];
  if (!value.key.startsWith('scripts.')) return isPath(value.text) ? [value] : [];
  const words = value.text.split(/[\s'"`|&;<>()=,:]+/);
  return words.filter((word) => /^(\.\/)*\.\.\//.test(word)).map((word) => ({ ...value, text: word }));
}

const MODULE_KEYS = /^(extends(\.\d+)?|compilerOptions\.types\.\d+|compilerOptions\.(plugins\.\d+\.name|jsxImportSource))$/;
const PATH_KEYS = /^(references\.\d+\.path|files\.\d+|include\.\d+|compilerOptions\.(rootDirs|typeRoots)\.\d+)$/;
const PATHS_KEY = /^compilerOptions\.paths\..*\.\d+$/s;

/** Returns what a package.json says about its workspace; as much as possible of a broken one. */
export function readManifestFacts(text: string): ManifestFacts {
  const values = readTexts(text);
  const below = (block: string): readonly KeyedText[] => values.filter(({ key }) => key.startsWith(`${block}.`));
  const name = values.find(({ key }) => key === 'name')?.text ?? '';
  const bin = values.some(({ key }) => key === 'bin') ? [name.slice(name.indexOf('/') + 1)] : [];
  return {
    scripts: below('scripts').map(({ key, line, text: script }) => ({ name: key.slice('scripts.'.length), text: script, line })),
    declared: DEPENDENCY_BLOCKS.flatMap((block) => below(block).map(({ key }) => key.slice(block.length + 1))),
    binaries: [...bin, ...below('bin').map(({ key }) => key.slice('bin.'.length))],
  };
}

const DEPENDENCY_BLOCKS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function readTypeScript(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const baseUrl = values.find(({ key }) => key === 'compilerOptions.baseUrl')?.text ?? '.';
  const pathsBase = resolveFolder(folder, baseUrl) ?? folder;
  return values.flatMap(({ key, line, text }): readonly SettingPath[] => {
    if (MODULE_KEYS.test(key)) return [{ specifier: text, isPattern: false, line, key, base: folder, form: 'module' }];
    if (!PATH_KEYS.test(key) && !PATHS_KEY.test(key)) return [];
    return [{ ...cut(text), line, key, base: PATHS_KEY.test(key) ? pathsBase : folder, form: 'path' }];
  });
}

/** `../types/**` -> `../types` */
function cut(text: string): { readonly specifier: string; readonly isPattern: boolean } {
  const names = text.split('/');
  const first = names.findIndex((name) => /[*?{[]/.test(name));
  return first === -1 ? { specifier: text, isPattern: false } : { specifier: names.slice(0, first).join('/') || '.', isPattern: true };
}
