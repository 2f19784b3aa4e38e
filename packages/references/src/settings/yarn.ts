import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { pathAt, withFallbacks } from './place.js';
import { nothing, readerBy } from './rules.js';

/** Reads a `.yarnrc.yml`. Source: `coreDefinitions` of @yarnpkg/core, settings of the type `ABSOLUTE_PATH` that the project's files are. */
export const readYarn = readerBy(
  [settingPath, 'yarnPath', 'constraintsPath', 'plugins.*', 'plugins.*.path', 'plugins.*.spec', 'injectEnvironmentFiles.*'],
  [settingPath, 'httpsCaFilePath', 'httpsCertFilePath', 'httpsKeyFilePath'],
  // The packages of a range in these are the registry's.
  [nothing, 'packageExtensions', '**.dependencies.*', '**.peerDependencies.*'],
);

/** `.env.yarn?`: the file may be missing. A plugin may also be a name or an address. */
function settingPath(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = withFallbacks(value.text).replace(/\?$/, '');
  return text === '' || /^(@|[a-z]+:\/\/)/.test(text) ? [] : [pathAt({ ...value, text }, folder)];
}
