import type { WorkspaceName } from '@tributary/model/ids';
import type { Draft } from '../../edit/draft.js';
import type { Message } from '../../message.js';
import { directDependencies } from '../lock/direct.js';
import type { ImportedPackage, LockedVersions, Monorepo } from '../project.js';
import type { ImportedPackageSettings } from './imported-package-settings.js';

/** What became of a setting that affects the installation. */
export interface SettingFinding {
  readonly importedPackage: WorkspaceName;
  /** Its file, relative to the imported package's folder. */
  readonly file: string;
  /** `resolutions.lodash`, `packageExtensions.foo@*`. Without the value, which could be a credential. */
  readonly setting: string;
  /** `carried`: it is at the root. `equal`: the root has the same setting already. `proposed`, `left`: a person must act. */
  readonly outcome: 'carried' | 'equal' | 'proposed' | 'left';
  readonly done: Message;
  /** The decision for a person; `undefined` if there is none. */
  readonly decision: Message | undefined;
}

/** The input for carrying one kind of setting. */
export interface SettingInput {
  readonly project: Monorepo;
  readonly importedPackage: ImportedPackage;
  /** Includes what was carried over before. */
  readonly draft: Draft;
  readonly settings: ImportedPackageSettings;
}

/** A finding without its package. */
export type SettingNote = Omit<SettingFinding, 'importedPackage'>;

/** Whether a setting for a package name is of no concern: the root of a monorepo has such settings for all its workspaces. */
export function isForOthers(name: string, { importedPackage: { manifest, oldLock }, settings }: SettingInput): boolean {
  if (settings.formerRoot === undefined || oldLock === undefined || directDependencies(manifest).has(name)) return false;
  return !oldLock.asks.has(name) && !oldLock.requests.some((request) => request.name === name);
}

/** Whether a setting for a scope is of no concern to a package, which may also be published under it. */
export function isScopeForOthers(scope: string, { importedPackage: { name, manifest, oldLock }, settings }: SettingInput): boolean {
  if (settings.formerRoot === undefined || oldLock === undefined) return false;
  const names = [name, ...directDependencies(manifest).keys(), ...oldLock.requests.map((request) => request.name)];
  return !names.some((one) => one.startsWith(`@${scope}/`));
}

/** Returns what the other imported packages had locked. */
export function locksOfOthers({ importedPackages }: Monorepo, importedPackage: ImportedPackage): readonly LockedVersions[] {
  return importedPackages.flatMap(({ oldLock, name }) =>
    oldLock === undefined || name === importedPackage.name ? [] : [{ resolve: oldLock.resolve, versionsOf: oldLock.ownVersionsOf }],
  );
}

export const EQUAL: Message = { text: 'The root already sets it.' };

export const NOT_CARRIED: Message = { text: 'It was not carried over.' };
