import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { FileReferences, OpaquePlace, ScannedImport, SettingPath } from '../reference.js';
import { commandsInShell } from '../scan-commands.js';
import { readBundler } from './builders.js';
import { readCodeTexts } from './code-texts.js';
import { readJsonTexts } from './json-texts.js';
import type { TextsRead } from './keyed-text.js';
import { COMMANDS, codeSettingsKind, settingsKind } from './kinds.js';
import { readLiterals } from './literals.js';
import { manifestFacts } from './manifest-facts.js';
import { neededTasks } from './needed-tasks.js';
import type { KeyedKind } from './tools.js';
import { readYamlTexts } from './yaml-texts.js';

/**
 * Returns what a settings file (`isSettingsFile`) refers to. It reads as much as possible of a broken file, which may refer to anything
 * else: such a file is opaque, and reaches all of the project. Never throws.
 */
export function readSettings(path: RepoPath, text: string): Omit<FileReferences, 'path'> {
  const kind = settingsKind(path);
  const folder = parentFolder(path);
  if (kind === undefined) return { names: [], opaque: [] };
  if ('readText' in kind) {
    const commands = kind === COMMANDS ? commandsInShell(text) : [];
    return { names: kind.readText(text, folder), opaque: [], ...(commands.length === 0 ? {} : { commands }) };
  }
  const strict = isYaml(path, text) ? readYamlTexts(text) : readJsonTexts(text);
  const isJson5 = kind.isJson5 === true && !strict.isWhole;
  const texts = isJson5 ? readCodeTexts(text) : strict;
  const keyed = readTexts(kind, texts, folder);
  const names = isJson5 ? withLiterals(keyed, readLiterals(text, folder)) : keyed;
  const tasks = neededTasks(texts.values);
  const found = { names, opaque: texts.isWhole ? [] : [wholeProject(folder)], ...(tasks.length === 0 ? {} : { tasks }) };
  return /(^|\/)package\.json$/.test(path) ? { ...found, manifest: manifestFacts(texts.values) } : found;
}

const BUNDLER: KeyedKind = { read: readBundler };

/** Returns the packages that code names as settings of a tool (`isCodeSettings`), and folders in which it looks up names. */
export function readCodeSettings(path: RepoPath, text: string): readonly SettingPath[] {
  return readTexts(codeSettingsKind(path) ?? BUNDLER, readCodeTexts(text), parentFolder(path)).filter(
    ({ form, isCapture }) => form === 'module' || isCapture === true,
  );
}

function readTexts({ read, readMembers }: KeyedKind, { values, members }: TextsRead, folder: RepoFolder): readonly SettingPath[] {
  return [...read(values, folder), ...(readMembers?.(members, folder) ?? [])];
}

/** Adds the names that only a reading without keys finds. */
export function withLiterals<T extends ScannedImport>(names: readonly T[], literals: readonly SettingPath[]): readonly (T | SettingPath)[] {
  const written = names.filter((name) => !('isLengthened' in name));
  const found = new Set(written.map(({ specifier, form }) => `${form} ${specifier}`));
  return [...names, ...literals.filter(({ specifier, form }) => !found.has(`${form} ${specifier}`))];
}

/** Files without an ending may be either. */
function isYaml(path: RepoPath, text: string): boolean {
  if (/\.ya?ml$/.test(path)) return true;
  return /(^|\/)\.\w+rc$/.test(path) && !/(^|\/)\.(babel|swc)rc$/.test(path) && !/^\uFEFF?\s*[[{/"']/.test(text);
}

function wholeProject(folder: RepoFolder): OpaquePlace {
  const depth = folder === '' ? 0 : folder.split('/').length;
  return { line: 1, folder: Array.from({ length: depth }, () => '..').join('/') || '.', form: 'path' };
}
