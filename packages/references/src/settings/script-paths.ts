import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { cut, EXPRESSION, leadsOut } from './place.js';

/** A word of a script that is a path, with the folder that it is relative to. */
interface PathWord {
  readonly text: string;
  readonly base: RepoFolder;
  readonly form: 'path' | 'text' | 'start';
  /** Whether imported names are looked up there. */
  readonly isCapture?: true;
}

/**
 * Lists the words of a script that are paths out of its folder, and after `cd` all that look like paths. In the root, every word that looks
 * like a path is one. It does not know what programs do with their words.
 */
export function readScript(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const found = new Map<string, SettingPath>();
  for (const { text, base, form, isCapture } of [...pathWords(value.text, folder), ...quotedPaths(value.text, folder)]) {
    const known = cut(text, EXPRESSION);
    // `$folder/a.js` may be anywhere, and the own folder is no news.
    if (/^\.?\/*$/.test(known.specifier)) continue;
    const path = { ...known, line: value.line, key: value.key, base, form, ...(isCapture && { isPattern: true, isCapture }) };
    const id = `${base}\0${path.specifier}\0${form}`;
    if (!found.has(id)) found.set(id, path);
  }
  return [...found.values()];
}

const TOP_LEVEL = /\$\(git rev-parse --show-toplevel\)/g;
const BETWEEN_WORDS = /[\s'"`|&;<>()=,:]+/;
const OPTION_OF_FOLDER = /^(?:cd|pushd|-C|--cwd|--prefix|--dir)$/;

function pathWords(script: string, folder: RepoFolder): readonly PathWord[] {
  const found: PathWord[] = [];
  let at = folder;
  let before = '';
  for (const written of script.replace(TOP_LEVEL, '$PROJECT_CWD').split(BETWEEN_WORDS)) {
    // `-r./setup.js`, `"$(dirname "$0")"/../x`, and the separators of Windows.
    const word = written.replace(/^(?:-\w|\/)(?=\.{1,2}\/)/, '').replace(/^(?:\.{1,2}\\)+/, (dots) => dots.replaceAll('\\', '/'));
    const isCapture = before === 'NODE_PATH' ? ({ isCapture: true } as const) : {};
    found.push(...readWord(word, folder, at).map((one) => ({ ...one, ...isCapture })));
    if (OPTION_OF_FOLDER.test(before)) at = folderFrom(word, at) ?? folder;
    before = word;
  }
  return found;
}

/** A thousand times `cd a` would else take time squared. */
const LONGEST_FOLDER = 300;

/** What follows in the script may be relative to the folder that it changes to. */
function folderFrom(word: string, at: RepoFolder): RepoFolder | undefined {
  const fromRoot = ROOT_VARIABLE.exec(word);
  const folder = fromRoot === null ? resolveFolder(at, word) : resolveFolder('', word.slice(fromRoot[0].length));
  return folder !== undefined && folder.length > LONGEST_FOLDER ? undefined : folder;
}

const ROOT_VARIABLE = /^(?:\$PROJECT_CWD|\$\{PROJECT_CWD\}|%PROJECT_CWD%)(?:\/|$)/;
/** A folder that is usually the one of the script, the workspace or the root: `$INIT_CWD`, `$PWD`, `$here`. */
const VARIABLE = /^(?:\$\w+|\$\{\w+\}|%\w+%)(?:\/|$)/;

function readWord(word: string, folder: RepoFolder, at: RepoFolder): readonly PathWord[] {
  // The rest of an address.
  if (word.startsWith('//')) return [];
  const fromRoot = ROOT_VARIABLE.exec(word);
  if (fromRoot !== null) return [{ text: word.slice(fromRoot[0].length) || '.', base: '', form: 'path' }];
  const unknown = VARIABLE.exec(word);
  if (unknown !== null) {
    // That it is the root is a guess, which proves nothing.
    const text = word.slice(unknown[0].length) || '.';
    return bases(folder, '').map((base) => ({ text, base, form: base === '' ? 'start' : 'text' }));
  }
  if (leadsOut(word) || /^(?:\.\/)?node_modules\/[@\w]/.test(word))
    return bases(folder, at).map((base) => ({ text: word, base, form: 'text' }));
  const isAnywhere = folder === '' || at !== folder;
  return isAnywhere && looksLikePath(word) ? bases(at, folder === '' ? '' : at).map((base) => ({ text: word, base, form: 'text' })) : [];
}

function bases(one: RepoFolder, other: RepoFolder): readonly RepoFolder[] {
  return one === other ? [one] : [one, other];
}

function looksLikePath(word: string): boolean {
  if (word.startsWith('-')) return false;
  return word.includes('/') || /^[\w@.+-]+\.[A-Za-z]\w{0,9}$/.test(word);
}

/** A path with blanks is divided into words, unless quotes hold it together. */
function quotedPaths(script: string, folder: RepoFolder): readonly PathWord[] {
  return [...script.matchAll(/(["'])(\.{1,2}\/[^"'\n]{1,300})\1/g)].flatMap(([, , text = '']) =>
    text.includes(' ') && leadsOut(text) ? [{ text, base: folder, form: 'text' }] : [],
  );
}
