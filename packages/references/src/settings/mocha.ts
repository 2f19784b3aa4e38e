import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { fileOrModuleAt, pathAt } from './place.js';
import { type Rule, readerBy } from './rules.js';
import { except, guess, itself } from './short-names.js';

const REQUIRED = ['require', 'r', 'extends', 'loader', 'import'];
const OWN = 'dot doc tap json json-stream html list min spec nyan xunit markdown progress landing bdd tdd qunit exports';
const FILES = ['file', 'spec', 'config', 'package', 'opts', 'watch-files', 'watchFiles', ''];

/** Reads a `.mocharc`. Source: `lib/cli/run-option-metadata.js` of mocha 12. Its paths are relative to where it starts. */
export const readMocha = readerBy(
  rule(fileOrModuleAt, REQUIRED),
  rule((value, folder) => fileOrModuleAt(value, folder, except(OWN)), ['reporter', 'R', 'ui', 'u']),
  rule((value, folder) => [pathAt(value, folder, 'text')], FILES),
  rule(assigned, ['node-option', 'nodeOption', 'n', 'reporter-option', 'reporterOption', 'reporter-options', 'O']),
);

function rule(read: Rule[0], keys: readonly string[]): Rule {
  return [read, ...keys, ...keys.map((key) => `${key}.*`)];
}

/** `import=tsx`, `configFile=../x.json` */
function assigned(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = value.text.slice(value.text.indexOf('=') + 1);
  const isLoaded = /^(?:require|import|loader|experimental-loader)=/.test(value.text);
  return text === value.text || text === '' ? [] : fileOrModuleAt({ ...value, text }, folder, isLoaded ? itself : guess);
}
