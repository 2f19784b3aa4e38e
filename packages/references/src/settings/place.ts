import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { itself, type Meanings } from './short-names.js';

/** Returns a path relative to a folder; `form` as in `ScannedImport`. Tags of tools for folders are read. */
export function pathAt(value: KeyedText, folder: RepoFolder, form: 'path' | 'text' = 'path'): SettingPath {
  const { base, text } = locate(value.text, folder);
  return { ...cut(text), line: value.line, key: value.key, base, form };
}

/** Returns a path for an entry, or the names of packages that it may mean if it is no path. */
export function moduleAt(value: KeyedText, folder: RepoFolder, namesOf: (name: string) => Meanings = itself): readonly SettingPath[] {
  if (/^(\.{0,2}(\/|$)|<|\$?\{)/.test(value.text)) return [pathAt(value, folder)];
  const { line, key } = value;
  const { meant, guessed } = namesOf(value.text);
  const nameAt = (name: string): SettingPath => ({ ...cut(name, EXPRESSION), line, key, base: folder, form: 'module' });
  const guessAt = (name: string): SettingPath => ({
    ...nameAt(name),
    isGuess: true,
    ...(name === value.text ? {} : { isLengthened: true }),
  });
  return [...meant.map(nameAt), ...guessed.map(guessAt)];
}

/** The same for tools that look for a file first, without a leading `./`. */
export function fileOrModuleAt(value: KeyedText, folder: RepoFolder, namesOf: (name: string) => Meanings = itself): readonly SettingPath[] {
  const modules = moduleAt(value, folder, namesOf);
  return modules.some(({ form }) => form === 'module') && !value.text.startsWith('@')
    ? [...modules, pathAt(value, folder, 'text')]
    : modules;
}

const TO_ROOT = /^(?:\{workspaceRoot\}|\$TURBO_ROOT\$|\$PROJECT_CWD|\$\{PROJECT_CWD\}|%PROJECT_CWD%)(?:\/|$)/;
/** `<rootDir>/` and `${configDir}/` stay, as in code: findings quote what somebody wrote. */
const TO_FOLDER = /^(?:\{projectRoot\}|<projectFolder>|<rootDir>$|\$\{configDir\}$)(?:\/|$)/;

function locate(text: string, folder: RepoFolder): { readonly base: RepoFolder; readonly text: string } {
  if (TO_ROOT.test(text)) return { base: '', text: text.replace(TO_ROOT, '') || '.' };
  return { base: folder, text: text.replace(TO_FOLDER, '') || '.' };
}

const WILDCARD = /[*?[]|\{(?!projectRoot|workspaceRoot|configDir)|[@!+]\(/;
/** In a shell and in replacements, a dollar begins what is put in. */
export const EXPRESSION = /[*?[{$]|[@!+]\(/;

/** `../types/**` -> `../types` */
export function cut(text: string, wildcard: RegExp = WILDCARD): Pick<SettingPath, 'specifier' | 'isPattern'> {
  const names = text.split('/');
  const first = names.findIndex((name) => wildcard.test(name));
  return first === -1 ? { specifier: text, isPattern: false } : { specifier: names.slice(0, first).join('/') || '.', isPattern: true };
}

/** In characters. */
const LONGEST_PATH = 1_000;

/** Tells whether a text is a path that may lead out of its folder. */
export function leadsOut(text: string): boolean {
  if (text.length > LONGEST_PATH) return false;
  return text === '..' || text.startsWith('../') || text.includes('/../') || text.endsWith('/..');
}

/** Returns a path that leads out of its folder, also `--config=../x` and `../x:build`. Whatever the key is, it may be meant. */
export function pathOut(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = value.text.replace(/^[\w-]{1,50}=|(?<=\w):[\w:-]{1,50}$/g, '');
  return leadsOut(text) ? [pathAt({ ...value, text }, folder, 'text')] : [];
}

/** `${DIR:-../x}` -> `../x`: a variable that is usually not set. */
export function withFallbacks(text: string): string {
  return text.replace(/\$\{\w{1,100}:?-([^${}]{0,300})\}/g, '$1');
}
