import type { RepoPath } from '@tributary/model/paths';
import { parseManifest } from '@tributary/workspaces/manifest';
import { NO_SETTINGS, parseYarnSettings, type YarnSettings } from '@tributary/workspaces/yarn-settings';
import { type Fields, mapIn } from '../../fields.js';
import type { ImportedPackage, TreeFiles } from '../project.js';

/** The settings of an imported package. */
export interface ImportedPackageSettings {
  /** Its current package.json. */
  readonly manifest: Fields;
  /** The package.json of the root whose workspace it was; `undefined` if it was none. */
  readonly formerRoot: Fields | undefined;
  /** `undefined` if it has no .yarnrc.yml. */
  readonly yarn: YarnSettings | undefined;
  /** `undefined` if it has no pnpm-workspace.yaml. */
  readonly pnpm: YarnSettings | undefined;
  /** The texts of its .npmrc and its .yarnrc. */
  readonly npmrc: string | undefined;
  readonly yarnrc: string | undefined;
  /** Unreadable files. The reason is omitted, because it could show a credential. */
  readonly broken: readonly { readonly file: string; readonly line: number }[];
}

/** Reads the settings. Throws `MANIFEST_INVALID`. */
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
    formerRoot: importedPackage.formerRoot?.raw,
    yarn: parse('.yarnrc.yml'),
    pnpm: parse('pnpm-workspace.yaml'),
    npmrc: read('.npmrc'),
    yarnrc: read('.yarnrc'),
    broken,
  };
}

/** The package.json of a former root, as seen from the package. */
export const OF_FORMER_ROOT = 'package.json of the former root';

/** Returns the settings of pnpm that apply to a package, by file. */
export function pnpmSettings({
  manifest,
  formerRoot,
  pnpm,
}: ImportedPackageSettings): readonly (readonly [file: string, fields: Fields])[] {
  return [
    ['package.json', mapIn(manifest, 'pnpm')],
    [OF_FORMER_ROOT, mapIn(formerRoot ?? {}, 'pnpm')],
    ['pnpm-workspace.yaml', pnpm?.raw ?? {}],
  ];
}
