import { isNestedTooDeep } from '@tributary/model/file-text';
import type { WorkspaceName } from '@tributary/model/ids';
import { joinRepoPath, type RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import lt from 'semver/functions/lt.js';
import parse from 'semver/functions/parse.js';
import { parse as parseYaml } from 'yaml';
import type { ImportedPackage, Monorepo, TreeFiles } from './project.js';

/**
 * Whether build scripts of dependencies ran at an imported package's source, according to its settings. By default they
 * do, with npm, Yarn 1 and most releases of the others.
 */
export function ranBuildScripts({ path }: ImportedPackage, files: TreeFiles): 'as usual' | 'switched off' {
  const read = (name: string): string => files.read(joinRepoPath(path, name)) ?? '';
  const isOff =
    /^\s*ignore-scripts\s*=\s*"?true/m.test(read('.npmrc')) ||
    /^\s*"?(?:--(?:\w+\.)?)?ignore-scripts"?\s+"?true/m.test(read('.yarnrc')) ||
    readYaml(read('.yarnrc.yml'))['enableScripts'] === false;
  return isOff ? 'switched off' : 'as usual';
}

/** A dependency that was built at the imported package's source. */
export interface FormerBuild {
  readonly importedPackage: WorkspaceName;
  /** `esbuild@0.25.0` */
  readonly package: string;
}

/**
 * Returns dependencies in the old lockfiles whose build scripts the monorepo's Yarn will not run, because of its
 * settings or its release. `before`: the project before the alignment.
 */
export function findFormerBuilds(project: Monorepo, before: Monorepo): readonly FormerBuild[] {
  const settings = readYaml(project.files.read('.yarnrc.yml' as RepoPath) ?? '');
  const root = project.workspaces.find(({ path }) => path === '')?.manifest;
  if ((settings['enableScripts'] ?? runsAll(root?.packageManager)) === true) return [];
  const meta = root?.raw['dependenciesMeta'];
  const isAllowed = (one: string): boolean => [one, one.slice(0, one.lastIndexOf('@'))].some((key) => isBuilt(meta, key));
  return before.importedPackages.flatMap((importedPackage) => {
    const builds = ranBuildScripts(importedPackage, before.files) === 'switched off' ? [] : (importedPackage.oldLock?.builds ?? []);
    return builds.filter((one) => !isAllowed(one)).map((one) => ({ importedPackage: importedPackage.name, package: one }));
  });
}

/** Whether Yarn runs build scripts by default, as it did before 4.14. */
function runsAll(packageManager: string | undefined): boolean {
  const version = /^yarn@([^+]+)/.exec(packageManager ?? '')?.[1];
  return version !== undefined && parse(version) !== null && lt(version, '4.14.0');
}

function isBuilt(meta: unknown, key: string): boolean {
  const own = isPlainObject(meta) ? meta[key] : undefined;
  return isPlainObject(own) && own['built'] === true;
}

/** Returns the settings of a file; empty if it is unreadable. The clean-up removes it anyway. */
function readYaml(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = isNestedTooDeep(text) ? undefined : parseYaml(text, { prettyErrors: false });
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
