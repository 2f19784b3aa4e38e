import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { fileOrModuleAt, pathAt } from './place.js';
import { type Rule, readerBy } from './rules.js';

const REQUIRED = ['require', 'r', 'reporter', 'R', 'ui', 'u', 'extends', 'loader', 'import'];
const FILES = ['file', 'spec', 'config', 'package', 'opts', 'watch-files', 'watchFiles', ''];

/** Reads a `.mocharc`. Source: `lib/cli/run-option-metadata.js` of mocha 12. Its paths are relative to where it starts. */
export const readMocha = readerBy(
  rule(fileOrModuleAt, REQUIRED),
  rule((value, folder) => [pathAt(value, folder, 'text')], FILES),
  rule(assigned, ['node-option', 'nodeOption', 'n', 'reporter-option', 'reporterOption', 'reporter-options', 'O']),
);

function rule(read: Rule[0], keys: readonly string[]): Rule {
  return [read, ...keys, ...keys.map((key) => `${key}.*`)];
}

/** `import=tsx`, `configFile=../x.json` */
function assigned(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = value.text.slice(value.text.indexOf('=') + 1);
  return text === value.text || text === '' ? [] : fileOrModuleAt({ ...value, text }, folder);
}
