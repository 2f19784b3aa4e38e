import type { RepoPath } from '@tributary/model/paths';
import { addToYaml } from '../../edit/edit-yaml.js';
import type { Edits } from '../project.js';
import type { SettingScene } from './scene.js';

const YARNRC = '.yarnrc.yml' as RepoPath;

/** The root's .yarnrc.yml, which is made where it is missing, with an entry put into one of its maps. */
export function withYarnrcEntry({ draft }: SettingScene, path: readonly string[], [key, value]: readonly [string, unknown]): Edits {
  return new Map([[YARNRC, addToYaml(draft.read(YARNRC) ?? '', { path, key, value })]]);
}
