import type { RepoPath } from '@tributary/model/paths';
import { addToYaml } from '../../edit/edit-yaml.js';
import type { Edits } from '../project.js';
import type { SettingInput } from './setting-input.js';

const YARNRC = '.yarnrc.yml' as RepoPath;

/** Returns the edit that adds an entry to a map in the root's .yarnrc.yml, which is created if missing. */
export function withYarnrcEntry({ draft }: SettingInput, path: readonly string[], [key, value]: readonly [string, unknown]): Edits {
  return new Map([[YARNRC, addToYaml(draft.read(YARNRC) ?? '', { path, key, value })]]);
}
