import type { RepoPath } from '@tributary/model/paths';
import { parseYarnSettings } from '@tributary/workspaces/yarn-settings';
import type { Project } from './project.js';

/** Whether Yarn takes a workspace for a plain range that admits its version, whoever asks: so unless the root clearly says otherwise. */
export function isTransparent({ files }: Pick<Project, 'files'>): boolean {
  const settings = parseYarnSettings(files.read('.yarnrc.yml' as RepoPath) ?? '');
  return 'problem' in settings || settings.transparentWorkspaces === 'on';
}
