import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, joinRepoPath, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { shellWord } from '@tributary/model/shell-word';
import { parentFolder } from '@tributary/workspaces/folders';
import { compileGlob } from '@tributary/workspaces/glob';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { isManifest } from '../align/build-project.js';
import { directDependencies } from '../align/lock/direct.js';
import type { Edits, ImportedPackage, Monorepo, TreeFiles } from '../align/project.js';
import { readLooseJson, setJson } from '../edit/edit-json.js';
import { readYaml } from '../edit/edit-yaml.js';
import { someOf } from '../text.js';

/**
 * Returns the edits that make a published library one package: its workspaces, which are all private, such as examples,
 * become folders of it. The order is that of the packages.
 */
export function dissolveExamples(project: Monorepo): Edits {
  const libraries = project.importedPackages.filter((one) => isLibrary(one, lookInto(one, project)));
  return new Map(
    libraries.flatMap(({ path }): readonly (readonly [RepoPath, string])[] => {
      const file = joinRepoPath(path, 'package.json');
      const text = project.files.read(file);
      return text === undefined || parseManifest(text, file).workspaces.length === 0
        ? []
        : [[file, setJson(text, ['workspaces'], undefined)]];
    }),
  );
}

/** Returns the folders of published libraries that were private workspaces of them, by package. */
export function findExamples(project: Monorepo): ReadonlyMap<WorkspaceName, NestedWorkspaces> {
  return new Map(
    project.importedPackages.flatMap((one) => {
      const looking = lookInto(one, project);
      const found = findMembers(looking);
      return found !== undefined && isLibrary(one, looking) ? [[one.name, found] as const] : [];
    }),
  );
}

/**
 * Rejects an imported package that is a workspace root: it is several packages, and each must be aligned. Throws
 * `SOURCE_HAS_WORKSPACES`, with the packages in it.
 */
export function refuseNestedRoots(project: Monorepo): void {
  for (const importedPackage of project.importedPackages) {
    const { path, name } = importedPackage;
    const looking = lookInto(importedPackage, project);
    const found = findMembers(looking);
    if (found === undefined || isLibrary(importedPackage, looking)) continue;
    const known = project.workspaces
      .filter((one) => one.path !== path && isInside(one.path, path))
      .map((one) => relativeTo(path, one.path));
    throw nestedRoot(name, found, [...new Set([...known, ...found.members])].sort());
  }
}

function lookInto(importedPackage: ImportedPackage, { files }: Monorepo): Looking {
  const { path } = importedPackage;
  const manifests = files.paths
    .filter((file) => isInside(file, path) && isManifest(file))
    .map((file) => relativeTo(path, parentFolder(file)));
  return { importedPackage, files, folders: manifests.filter((folder) => folder !== '') };
}

/**
 * Whether a workspace root is itself the package: it is published, and all its workspaces say that they are not. It must
 * not depend on one by its name, because the registry may have a package of somebody else with that name.
 */
function isLibrary({ path, manifest }: ImportedPackage, looking: Looking): boolean {
  const members = findMembers(looking)?.members ?? [];
  const dependencies = directDependencies(manifest);
  const isPart = (folder: string): boolean => {
    const own = readLooseJson(looking.files.read(joinRepoPath(path, `${folder}/package.json`)) ?? '');
    if (!isPlainObject(own) || own['private'] !== true) return false;
    const range = typeof own['name'] === 'string' ? dependencies.get(own['name']) : undefined;
    return range === undefined || /^(?:file|link|portal):/.test(range);
  };
  return !manifest.private && manifest.version !== undefined && members.length > 0 && members.every(isPart);
}

interface Looking {
  readonly importedPackage: { readonly path: RepoFolder; readonly manifest: Manifest };
  readonly files: TreeFiles;
  /** Folders with a package.json, relative to the imported package's folder. */
  readonly folders: readonly string[];
}

export interface NestedWorkspaces {
  /** The file that makes it a root. */
  readonly by: string;
  readonly patterns: readonly string[];
  readonly members: readonly string[];
}

/** Whether a folder was a workspace of the root with these files. */
export function isMember(folder: string, root: Manifest | undefined, texts: ReadonlyMap<RepoPath, string>): boolean {
  if (root === undefined) return false;
  const files: TreeFiles = { paths: [], read: (path) => texts.get(path) };
  const looking = { importedPackage: { path: '' as const, manifest: root }, files, folders: [folder] };
  return [byPatterns(looking), byLerna(looking), byRush(looking)].some((found) => found?.members.includes(folder) === true);
}

function findMembers(looking: Looking): NestedWorkspaces | undefined {
  return byPatterns(looking) ?? byLerna(looking) ?? byRush(looking) ?? byNx(looking);
}

/** Returns workspaces by patterns. pnpm has a file of its own for them, where `.` is the package itself. */
function byPatterns({ importedPackage, files, folders }: Looking): NestedWorkspaces | undefined {
  const { workspaces } = importedPackage.manifest;
  if (workspaces.length > 0) return { by: 'package.json', patterns: workspaces, members: membersOf(workspaces, folders) };
  const by = 'pnpm-workspace.yaml';
  const value: unknown = readYaml(files.read(joinRepoPath(importedPackage.path, by)) ?? '')?.toJS();
  const all = textsOf(isPlainObject(value) ? value['packages'] : undefined);
  const patterns = all.filter((pattern) => !/^(?:\.\/?)?$|^!/.test(pattern));
  return patterns.length === 0 ? undefined : { by, patterns, members: membersOf(all, folders) };
}

/** Before version 7, lerna found packages without "workspaces", by default in packages/. A file without packages is a leftover. */
function byLerna({ importedPackage, files, folders }: Looking): NestedWorkspaces | undefined {
  const by = 'lerna.json';
  const config = readSettings(files, importedPackage, by);
  if (config === undefined) return undefined;
  const own = textsOf(config['packages']);
  const patterns = own.length === 0 ? ['packages/*'] : own;
  return foundOrNone({ by, patterns, members: membersOf(patterns, folders) });
}

function byRush({ importedPackage, files, folders }: Looking): NestedWorkspaces | undefined {
  const by = 'rush.json';
  const projects = readSettings(files, importedPackage, by)?.['projects'];
  const patterns = (Array.isArray(projects) ? projects : []).flatMap((one: unknown) =>
    isPlainObject(one) ? textsOf([one['projectFolder']]) : [],
  );
  return foundOrNone({ by, patterns, members: membersOf(patterns, folders) });
}

/** For Nx, every folder with a project.json is a project. With a package.json beside it, it is a package. */
function byNx({ importedPackage, files, folders }: Looking): NestedWorkspaces | undefined {
  const by = 'nx.json';
  if (readSettings(files, importedPackage, by) === undefined) return undefined;
  const there = new Set<string>(files.paths);
  const members = folders.filter((folder) => there.has(`${importedPackage.path}/${folder}/project.json`));
  return foundOrNone({ by, patterns: members, members });
}

function foundOrNone(found: NestedWorkspaces): NestedWorkspaces | undefined {
  return found.members.length === 0 ? undefined : found;
}

function membersOf(patterns: readonly string[], folders: readonly string[]): readonly string[] {
  const bare = patterns.map((pattern) => pattern.replace(/^\.\//, '').replace(/\/(?:package\.json)?$/, ''));
  const isListed = bare.filter((pattern) => !pattern.startsWith('!')).map(folderTest);
  const isTakenOut = bare.filter((pattern) => pattern.startsWith('!')).map((pattern) => folderTest(pattern.slice(1)));
  return folders.filter((folder) => isListed.some((test) => test(folder)) && !isTakenOut.some((test) => test(folder)));
}

function folderTest(pattern: string): (folder: string) => boolean {
  const test = compileGlob(pattern);
  if (test !== undefined) return (folder) => folder === pattern || test(folder);
  throw new ToolError({
    code: 'MANIFEST_INVALID',
    message: `The pattern ${JSON.stringify(pattern.slice(0, 60))} of workspaces in the source has too many stars or choices.`,
    hint: 'Name the folders in the source, or use one star for each name.',
  });
}

function readSettings(files: TreeFiles, { path }: Looking['importedPackage'], file: string): Readonly<Record<string, unknown>> | undefined {
  const value = readLooseJson(files.read(joinRepoPath(path, file)) ?? '');
  return isPlainObject(value) ? value : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function nestedRoot(name: string, { by, patterns }: NestedWorkspaces, inside: readonly string[]): ToolError {
  const list = someOf(inside.length === 0 ? patterns : inside);
  return new ToolError({
    code: 'SOURCE_HAS_WORKSPACES',
    message: `${name} is itself a workspace root (see its ${by}): ${list}.`,
    hint: `Import each with --subdirectory, such as --subdirectory ${inside[0] === undefined ? '<path>' : shellWord(inside[0])}. Or import the whole unchanged, with --no-align. A published library is imported as one package if its workspaces are all "private", and it depends on none of them by name.`,
    data: { package: name, workspace: { name }, workspaces: inside },
  });
}
