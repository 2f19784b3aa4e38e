import { ToolError } from '@tributary/model/errors';
import type { RepoPath } from '@tributary/model/paths';
import type { Catalogs } from '@tributary/workspaces/ranges';
import { NO_SETTINGS, parseYarnSettings, type YarnSettings } from '@tributary/workspaces/yarn-settings';
import lt from 'semver/functions/lt.js';
import type { Monorepo, TreeFiles } from './project.js';

/**
 * Returns the settings in `.yarnrc.yml` of the root; empty if there is none. Throws `CONFIG_INVALID` with the line, if
 * it is not valid YAML.
 */
export function readRootSettings(files: TreeFiles): YarnSettings {
  const text = files.read('.yarnrc.yml' as RepoPath);
  const settings = text === undefined ? NO_SETTINGS : parseYarnSettings(text);
  if (!('problem' in settings)) return settings;
  throw new ToolError({
    code: 'CONFIG_INVALID',
    message: `.yarnrc.yml:${settings.line}: ${settings.problem}.`,
    hint: 'Correct the file, then run the command again.',
    data: { file: '.yarnrc.yml', line: settings.line },
  });
}

/** Returns the root's catalogs; empty if its Yarn does not support them (before 4.10). */
export function readCatalogs(project: Monorepo): Catalogs {
  const settings = readRootSettings(project.files);
  const yarn = yarnVersion(project, settings);
  return yarn === undefined || lt(yarn, '4.10.0') ? new Map() : settings.catalogs;
}

/** Returns Yarn's version. `yarnPath` is the release that runs; `packageManager` only starts it. */
function yarnVersion(project: Monorepo, settings: YarnSettings): string | undefined {
  const yarnPath = settings.raw['yarnPath'];
  const release = typeof yarnPath === 'string' ? /yarn-(\d+\.\d+\.\d+(?:-[\w.]+)?)\.c?js$/.exec(yarnPath) : null;
  const manager = /^yarn@(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(project.workspaces[0]?.manifest.packageManager ?? '');
  return release?.[1] ?? manager?.[1];
}
