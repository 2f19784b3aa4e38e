import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from '@tributary/workspaces/discover';
import { mapIn, scriptsOf } from '../../fields.js';
import type { Monorepo } from '../project.js';
import { RELEASE_TOOLS, type ReleaseTool } from './release-tools.js';

/** How a workspace is published to a registry. */
export interface PackageRelease {
  /**
   * The program that creates the archive. Yarn replaces `workspace:` and `catalog:` with versions; npm packs a
   * package.json unchanged. `nobody`: it is private.
   */
  readonly packer: 'yarn' | 'npm' | 'nobody';
  /** The tool that publishes it, such as `semantic-release`; `undefined` if unknown. */
  readonly tool: string | undefined;
  /** The file that shows it, relative to the root of the project. */
  readonly seenIn: RepoPath | undefined;
  /** The folder that is published instead of the workspace's own, such as `pkg`; a build creates it. */
  readonly folder: string | undefined;
}

/** The configured packer; `detect`: it is detected. */
export type PackerChoice = 'detect' | 'yarn' | 'npm';

/**
 * Returns how a workspace is released, according to its own files, then those of the root. If one of several tools
 * packs with npm, npm is the packer. If no tool is found, so is npm, unless the workspace's lockfile came from Yarn 2
 * or later: a plain range suits both.
 */
export function createReleases(project: Monorepo, choice: PackerChoice): (workspace: Workspace) => PackageRelease {
  const ofRoot = [...findTools(project, ''), ...findRewritten(project)];
  const known = new Map<RepoFolder, PackageRelease>();
  return (workspace) => {
    const release = known.get(workspace.path) ?? releaseOf(project, workspace, { choice, ofRoot });
    known.set(workspace.path, release);
    return release;
  };
}

interface Found {
  readonly tool: ReleaseTool;
  readonly seenIn: RepoPath;
}

function releaseOf(
  project: Monorepo,
  { path, manifest }: Workspace,
  { choice, ofRoot }: { readonly choice: PackerChoice; readonly ofRoot: readonly Found[] },
): PackageRelease {
  const own = path === '' ? [] : findTools(project, path);
  const found = [...own, ...ofRoot];
  const first = found.find(({ tool }) => tool.packer === 'npm') ?? found[0];
  const told = { tool: first?.tool.name, seenIn: first?.seenIn, folder: publishedFolder(project, path, manifest.raw) };
  if (manifest.private) return { packer: 'nobody', ...told };
  if (choice !== 'detect') return { packer: choice, ...told };
  const came = project.importedPackages.find((importedPackage) => importedPackage.path === path);
  return { packer: first?.tool.packer ?? (came?.oldLock?.kind === 'yarn' ? 'yarn' : 'npm'), ...told };
}

/** Returns what a folder's package.json, settings and workflows show, in that order. */
function findTools({ files, workspaces }: Monorepo, folder: RepoFolder): readonly Found[] {
  const manifest = workspaces.find(({ path }) => path === folder)?.manifest.raw ?? {};
  const manifestPath = (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath;
  const inManifest = RELEASE_TOOLS.filter((tool) => isNamedIn(manifest, tool)).map((tool) => ({ tool, seenIn: manifestPath }));
  const inFiles = files.paths
    .filter((path) => isInside(path, folder))
    .flatMap((path): readonly Found[] => {
      const local = relativeTo(folder, path);
      const byName = RELEASE_TOOLS.filter(({ settings }) => settings?.test(local) === true);
      const text = SCRIPTS.test(local) ? (files.read(path) ?? '') : '';
      return [...byName, ...RELEASE_TOOLS.filter((tool) => runs(text, tool))].map((tool) => ({ tool, seenIn: path }));
    });
  return [...inManifest, ...inFiles];
}

/** Files that may contain steps of a release. */
const SCRIPTS =
  /^(?:\.github\/(?:workflows\/[^/]+|actions\/[^/]+\/action)\.ya?ml|\.gitlab-ci\.yml|\.travis\.yml|\.circleci\/config\.yml|\.buildkite\/[^/]+\.ya?ml|azure-pipelines\.yml|bitbucket-pipelines\.yml|Jenkinsfile|Makefile|(?:(?:bin|scripts?|tools?|ci|\.ci)\/)?[\w.-]+\.sh)$/;

function isNamedIn(manifest: Readonly<Record<string, unknown>>, tool: ReleaseTool): boolean {
  const { name, packages = [name], script, field, key = /^/ } = tool;
  const scripts = scriptsOf(manifest);
  const blocks = [manifest['dependencies'], manifest['devDependencies']].filter(isPlainObject);
  return (
    Object.values(scripts).some((text) => runs(text, tool)) ||
    (script !== undefined && script in scripts) ||
    (field !== undefined && Object.keys(mapIn(manifest, field)).some((one) => key.test(one))) ||
    packages.some((one) => manifest['name'] !== one && blocks.some((block) => one in block))
  );
}

/** Whether one of the commands in a text runs the tool. */
function runs(text: string, { command }: ReleaseTool): boolean {
  return text.split(/\n|;|&&|\|\|/).some((one) => command.test(one.trim()));
}

const REWRITING: ReleaseTool = { name: 'Yarn', packer: 'yarn', packages: [], command: /(?!)/ };

/** Returns published workspaces that request others by `workspace:`. Something must replace that with versions when they are packed. */
function findRewritten({ workspaces, importedPackages }: Monorepo): readonly Found[] {
  const came = new Set<string>(importedPackages.map(({ path }) => path));
  return workspaces
    .filter(({ path, manifest }) => path !== '' && !came.has(path) && !manifest.private)
    .filter(({ manifest }) => [...manifest.dependencies.values(), ...manifest.optionalDependencies.values()].some(isRewritten))
    .map(({ path }) => ({ tool: REWRITING, seenIn: `${path}/package.json` as RepoPath }));
}

/** Whether only Yarn understands a range. Consumers of a package that npm packed cannot resolve it. */
export function isRewritten(range: string): boolean {
  return /^(?:workspace|catalog|patch|portal|link|exec):/.test(range);
}

/** Of semantic-release, of rollout and of release-it. */
const FOLDER_SETTING = /["']?(?:pkgRoot|publishDir|publishPath)["']?\s*[:=]\s*["']([^"']+)["']/;

/** Returns the folder that is published instead of a workspace's own; see `PackageRelease`. */
export function publishedFolder(
  { files }: Pick<Monorepo, 'files'>,
  folder: RepoFolder,
  manifest: Readonly<Record<string, unknown>>,
): string | undefined {
  const { publishConfig } = manifest;
  const directory = isPlainObject(publishConfig) ? publishConfig['directory'] : undefined;
  if (typeof directory === 'string') return plainFolder(directory);
  const settings = files.paths.filter(
    (path) =>
      isInside(path, folder) && /^(?:package\.json|\.releaserc.*|release\.config\.\w+|\.release-it\.\w+)$/.test(relativeTo(folder, path)),
  );
  const found = settings.map((path) => FOLDER_SETTING.exec(files.read(path) ?? '')?.[1]).find((one) => one !== undefined);
  return found === undefined ? undefined : plainFolder(found);
}

/** Returns a folder without `./` and slashes at its end; `undefined` for the package's own folder. */
function plainFolder(folder: string): string | undefined {
  const plain = folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return plain === '' || plain === '.' ? undefined : plain;
}
