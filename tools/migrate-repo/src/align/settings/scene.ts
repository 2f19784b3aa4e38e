import type { WorkspaceName } from '@tributary/model/ids';
import type { Draft } from '../../edit/draft.js';
import type { Message } from '../../message.js';
import type { ImportedPackage, Project } from '../project.js';
import type { ImportedPackageSettings } from './imported-package-settings.js';

/** What became of a setting that changes what is installed. */
export interface SettingFinding {
  readonly importedPackage: WorkspaceName;
  /** Where it stood, from the imported package's folder. */
  readonly file: string;
  /** `resolutions.lodash`, `packageExtensions.foo@*`. No value: it could be a credential. */
  readonly setting: string;
  /** `carried`: it stands at the root; `equal`: the root says so already; `proposed`, `left`: a person must do it. */
  readonly outcome: 'carried' | 'equal' | 'proposed' | 'left';
  readonly done: Message;
  /** What a person must decide; `undefined`: nothing. */
  readonly decision: Message | undefined;
}

/** What one kind of setting is given to work on. */
export interface SettingScene {
  readonly project: Project;
  readonly importedPackage: ImportedPackage;
  /** With what was carried over before. */
  readonly draft: Draft;
  readonly settings: ImportedPackageSettings;
}

/** A finding without whom it concerns. */
export type SettingNote = Omit<SettingFinding, 'importedPackage'>;

export const EQUAL: Message = { text: 'The root already sets it.' };

export const NOT_CARRIED: Message = { text: 'It was not carried over.' };
