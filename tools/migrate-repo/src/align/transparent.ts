import type { RepoPath } from '@tributary/model/paths';
import { parseYarnSettings } from '@tributary/workspaces/yarn-settings';
import type { Monorepo } from './project.js';

/**
 * Whether Yarn resolves plain ranges to workspaces whose version they admit, for any dependent. True unless the root's
 * settings clearly disable it.
 */
export function isTransparent({ files }: Pick<Monorepo, 'files'>): boolean {
  const settings = parseYarnSettings(files.read('.yarnrc.yml' as RepoPath) ?? '');
  return 'problem' in settings || settings.transparentWorkspaces === 'on';
}
