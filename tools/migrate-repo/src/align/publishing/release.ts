import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from '@tributary/workspaces/discover';
import { carriedFrom } from '../../carried-workflow.js';
import type { Project } from '../project.js';
import { RELEASE_TOOLS, type ReleaseTool } from './release-tools.js';

/** How a workspace gets to a registry. */
export interface Release {
  /** Who makes the archive: Yarn writes versions in the place of `workspace:` and `catalog:`, npm packs a package.json as it is. `nobody`: it is private. */
  readonly packer: 'yarn' | 'npm' | 'nobody';
  /** What publishes it, such as `semantic-release`; `undefined`: nothing tells. */
  readonly tool: string | undefined;
  /** The file that says so, from the root of the project. */
  readonly seenIn: RepoPath | undefined;
  /** What is published in the place of the workspace's own folder, such as `pkg`: a build makes it. */
  readonly folder: string | undefined;
}

/** Who is said to pack; `detect`: it is looked for. */
export type PackerChoice = 'detect' | 'yarn' | 'npm';

/**
 * How a workspace is released: as its own files say, then those of the root. Where one tool of several packs with npm, so does the workspace, and
 * where nothing tells, too, unless its lockfile came from Yarn 2 or later: a plain range suits both. A workflow that an earlier migration, or this one, has
 * carried to the root counts for its package alone.
 */
export function createReleases(project: Project, choice: PackerChoice): (workspace: Workspace) => Release {
  const ofRoot = [...findTools(project, ''), ...findRewritten(project)];
  const known = new Map<RepoFolder, Release>();
  return (workspace) => {
    const release = known.get(workspace.path) ?? releaseOf(project, workspace, { choice, ofRoot });
    known.set(workspace.path, release);
    return release;
  };
}

interface Found {
  readonly tool: ReleaseTool;
  readonly seenIn: RepoPath;
  /** The one folder that it counts for: a workflow that came along stands at the root, and releases its package alone. `undefined`: for all. */
  readonly only?: string | undefined;
}

function releaseOf(
  project: Project,
  { path, manifest }: Workspace,
  { choice, ofRoot }: { readonly choice: PackerChoice; readonly ofRoot: readonly Found[] },
): Release {
  const own = path === '' ? [] : findTools(project, path);
  const found = [...own, ...ofRoot.filter(({ only = path }) => only === path)];
  const first = found.find(({ tool }) => tool.packer === 'npm') ?? found[0];
  const told = { tool: first?.tool.name, seenIn: first?.seenIn, folder: publishedFolder(project, path, manifest.raw) };
  if (manifest.private) return { packer: 'nobody', ...told };
  if (choice !== 'detect') return { packer: choice, ...told };
  const came = project.importedPackages.find((importedPackage) => importedPackage.path === path);
  return { packer: first?.tool.packer ?? (came?.oldLock?.kind === 'yarn' ? 'yarn' : 'npm'), ...told };
}

/** What a folder's package.json, settings and workflows say, in that order. */
function findTools({ files, workspaces }: Project, folder: RepoFolder): readonly Found[] {
  const manifest = workspaces.find(({ path }) => path === folder)?.manifest.raw ?? {};
  const manifestPath = (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath;
  const inManifest = RELEASE_TOOLS.filter((tool) => isNamedIn(manifest, tool)).map((tool) => ({ tool, seenIn: manifestPath }));
  const inFiles = files.paths
    .filter((path) => isInside(path, folder))
    .flatMap((path): readonly Found[] => {
      const local = relativeTo(folder, path);
      const byName = RELEASE_TOOLS.filter(({ settings }) => settings?.test(local) === true);
      const text = SCRIPTS.test(local) ? (files.read(path) ?? '') : '';
      const only = folder === '' ? carriedFrom(text) : undefined;
      return [...byName, ...RELEASE_TOOLS.filter((tool) => runs(text, tool))].map((tool) => ({ tool, seenIn: path, only }));
    });
  return [...inManifest, ...inFiles];
}

/** Where steps of a release may be written. */
const SCRIPTS =
  /^(?:\.github\/(?:workflows\/[^/]+|actions\/[^/]+\/action)\.ya?ml|\.gitlab-ci\.yml|\.travis\.yml|\.circleci\/config\.yml|\.buildkite\/[^/]+\.ya?ml|azure-pipelines\.yml|bitbucket-pipelines\.yml|Jenkinsfile|Makefile|(?:(?:bin|scripts?|tools?|ci|\.ci)\/)?[\w.-]+\.sh)$/;

function isNamedIn(manifest: Readonly<Record<string, unknown>>, tool: ReleaseTool): boolean {
  const { name, packages = [name], script, field } = tool;
  const scripts = isPlainObject(manifest['scripts']) ? manifest['scripts'] : {};
  const texts = Object.values(scripts).filter((text) => typeof text === 'string');
  const blocks = [manifest['dependencies'], manifest['devDependencies']].filter(isPlainObject);
  return (
    texts.some((text) => runs(text, tool)) ||
    (script !== undefined && script in scripts) ||
    (field !== undefined && isPlainObject(manifest[field])) ||
    packages.some((one) => manifest['name'] !== one && blocks.some((block) => one in block))
  );
}

/** Whether one of the commands in a text runs it. */
function runs(text: string, { command }: ReleaseTool): boolean {
  return text.split(/\n|;|&&|\|\|/).some((one) => command.test(one.trim()));
}

const REWRITING: ReleaseTool = { name: 'Yarn', packer: 'yarn', packages: [], command: /(?!)/ };

/** Who publishes workspaces that ask for others by `workspace:` has something that writes versions in its place. */
function findRewritten({ workspaces, importedPackages }: Project): readonly Found[] {
  const came = new Set<string>(importedPackages.map(({ path }) => path));
  return workspaces
    .filter(({ path, manifest }) => path !== '' && !came.has(path) && !manifest.private)
    .filter(({ manifest }) => [...manifest.dependencies.values(), ...manifest.optionalDependencies.values()].some(isRewritten))
    .map(({ path }) => ({ tool: REWRITING, seenIn: `${path}/package.json` as RepoPath }));
}

/** Whether a range is for Yarn alone: whoever installs what npm has packed cannot read it. */
export function isRewritten(range: string): boolean {
  return /^(?:workspace|catalog|patch|portal|link|exec):/.test(range);
}

const FOLDER_SETTING = /["']?pkgRoot["']?\s*[:=]\s*["']([^"']+)["']/;

/** What is published in the place of a workspace's own folder; see `Release`. */
export function publishedFolder(
  { files }: Pick<Project, 'files'>,
  folder: RepoFolder,
  manifest: Readonly<Record<string, unknown>>,
): string | undefined {
  const { publishConfig } = manifest;
  const directory = isPlainObject(publishConfig) ? publishConfig['directory'] : undefined;
  if (typeof directory === 'string') return plainFolder(directory);
  const settings = files.paths.filter(
    (path) => isInside(path, folder) && /^(?:package\.json|\.releaserc.*|release\.config\.\w+)$/.test(relativeTo(folder, path)),
  );
  const found = settings.map((path) => FOLDER_SETTING.exec(files.read(path) ?? '')?.[1]).find((one) => one !== undefined);
  return found === undefined ? undefined : plainFolder(found);
}

/** `undefined` for the package's own folder. */
function plainFolder(folder: string): string | undefined {
  const plain = folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return plain === '' || plain === '.' ? undefined : plain;
}
