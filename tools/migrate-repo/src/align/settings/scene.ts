import type { WorkspaceName } from '@tributary/model/ids';
import type { Draft } from '../../edit/draft.js';
import type { Said } from '../../said.js';
import type { Newcomer, Project } from '../project.js';
import type { NewcomerSettings } from './newcomer-settings.js';

/** What became of a setting that changes what is installed. */
export interface SettingFinding {
  readonly newcomer: WorkspaceName;
  /** Where it stood, from the newcomer's folder. */
  readonly file: string;
  /** `resolutions.lodash`, `packageExtensions.foo@*`. No value: it could be a credential. */
  readonly setting: string;
  /** `carried`: it stands at the root; `equal`: the root says so already; `proposed`, `left`: a person must do it. */
  readonly outcome: 'carried' | 'equal' | 'proposed' | 'left';
  readonly done: Said;
  /** What a person must decide; `undefined`: nothing. */
  readonly decision: Said | undefined;
}

/** What one kind of setting is given to work on. */
export interface SettingScene {
  readonly project: Project;
  readonly newcomer: Newcomer;
  /** With what was carried over before. */
  readonly draft: Draft;
  readonly settings: NewcomerSettings;
}

/** A finding without whom it concerns. */
export type SettingNote = Omit<SettingFinding, 'newcomer'>;

export const EQUAL: Said = { text: 'The root says so already.' };

export const NOT_CARRIED: Said = { text: 'It was not carried over.' };
