import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { cut, EXPRESSION } from './place.js';

/** The key of what a file of data names. Which tool reads the file is unknown, so this never counts for everybody. */
export const NAMED_IN_DATA = 'text';

const LINE_OR_PATH = /\n|(?<![\w./@)}\]~-])\.{1,2}\/[\w@.+/*{}$-]*/g;

/**
 * Lists the paths with dots in front in a file of data, of style, of markup or of another language, each once: `$ref: ../core/api.json`,
 * `@import './base.css'`, `preload = ["../setup.ts"]`. A path that leads to no file does not count.
 */
export function readDataText(text: string, folder: RepoFolder): readonly SettingPath[] {
  if (!text.includes('./')) return [];
  const found = new Map<string, SettingPath>();
  let line = 1;
  for (const [match] of text.matchAll(LINE_OR_PATH)) {
    if (match === '\n') line++;
    else
      for (const path of meaningsOf(match))
        if (!found.has(path)) found.set(path, { ...cut(path, EXPRESSION), line, key: NAMED_IN_DATA, base: folder, form: 'text' });
  }
  return [...found.values()];
}

const STYLE_NAME =
  /\n|@(?:import|use|forward|plugin|config|reference|require)\b[^"'\n;]{0,40}["'](?:~|pkg:)?((?:@[\w.-]+\/)?\w[\w.-]*(?:\/[\w./-]*)?)["']/g;

/** Lists the packages that a style imports as well: `@import '~@acme/colors/base.css'`, `@plugin '@acme/forms'`. */
export function readStyle(text: string, folder: RepoFolder): readonly SettingPath[] {
  const names: SettingPath[] = [];
  let line = 1;
  for (const [match, specifier] of text.matchAll(STYLE_NAME)) {
    if (match === '\n') line++;
    else if (specifier !== undefined)
      names.push({ specifier, form: 'module', line, key: NAMED_IN_DATA, isGuess: true, base: folder, isPattern: false });
  }
  return [...names, ...readDataText(text, folder)];
}

/** A sentence may end behind a path, and Sass finds `_colors.scss` for `colors`. */
function meaningsOf(match: string): readonly string[] {
  const path = match.replace(/\b\.$/, '');
  return /\/\w[^./]*$/.test(path) ? [path, path.replace(/[^/]*$/, '_$&')] : [path];
}
