import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseManifest } from '@tributary/workspaces/manifest';
import { NO_SETTINGS, parseYarnSettings, type YarnSettings } from '@tributary/workspaces/yarn-settings';
import type { ImportedPackage, TreeFiles } from '../project.js';

type Fields = Readonly<Record<string, unknown>>;

/** The settings that an imported package brought along. */
export interface ImportedPackageSettings {
  /** Its package.json as it is by now. */
  readonly manifest: Fields;
  /** `undefined`: it has no .yarnrc.yml. */
  readonly yarn: YarnSettings | undefined;
  /** `undefined`: it has no pnpm-workspace.yaml. */
  readonly pnpm: YarnSettings | undefined;
  /** The lines of its .npmrc, and of its .yarnrc. */
  readonly npmrc: string | undefined;
  readonly yarnrc: string | undefined;
  /** Files that cannot be read. What is wrong with them is not said: it could show a credential. */
  readonly broken: readonly { readonly file: string; readonly line: number }[];
}

/** Reads what is there. Throws `MANIFEST_INVALID`. */
export function readImportedPackageSettings(importedPackage: ImportedPackage, files: TreeFiles): ImportedPackageSettings {
  const read = (file: string): string | undefined => files.read(`${importedPackage.path}/${file}` as RepoPath);
  const broken: { file: string; line: number }[] = [];
  const parse = (file: string): YarnSettings | undefined => {
    const text = read(file);
    if (text === undefined) return undefined;
    const settings = parseYarnSettings(text);
    if (!('problem' in settings)) return settings;
    broken.push({ file, line: settings.line });
    return NO_SETTINGS;
  };
  return {
    manifest: parseManifest(read('package.json') ?? '', `${importedPackage.path}/package.json`).raw,
    yarn: parse('.yarnrc.yml'),
    pnpm: parse('pnpm-workspace.yaml'),
    npmrc: read('.npmrc'),
    yarnrc: read('.yarnrc'),
    broken,
  };
}

/** The entries of a map whose values are texts. */
export function textsOf(value: unknown): readonly (readonly [string, string])[] {
  return isPlainObject(value) ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
}
