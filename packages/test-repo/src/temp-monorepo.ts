import { type Files, TempRepo, type TempRepoOptions } from './temp-repo.js';

/** A package.json. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface MonorepoDescription {
  /** Overrides `{name: "monorepo", private: true, packageManager, workspaces}`. */
  readonly root?: Manifest;
  /** Folder → manifest. `name` defaults to the folder's last name, `version` to 1.0.0. */
  readonly packages: Readonly<Record<string, Manifest>>;
  /** More files, relative to the root: sources, `yarn.lock`, `.yarnrc.yml`. */
  readonly files?: Files;
}

/** Creates a Yarn workspaces monorepo with one commit. It is not installed: there is no `yarn.lock` unless `files` has one. */
export function createTempMonorepo(description: MonorepoDescription, options: TempRepoOptions = {}): TempRepo {
  const repo = TempRepo.create(options);
  repo.commit('Start the monorepo', { files: monorepoFiles(description) });
  return repo;
}

/** Returns the files of such a monorepo, for an existing repository. */
export function monorepoFiles(description: MonorepoDescription): Files {
  const folders = Object.keys(description.packages);
  const root = { name: 'monorepo', private: true, packageManager: 'yarn@4.18.1', workspaces: globsFor(folders), ...description.root };
  const manifests = Object.entries(description.packages).map(([folder, manifest]) => [
    `${folder}/package.json`,
    formatManifest({ name: folder.slice(folder.lastIndexOf('/') + 1), version: '1.0.0', ...manifest }),
  ]);
  return { 'package.json': formatManifest(root), ...Object.fromEntries(manifests), ...description.files };
}

/** Returns a manifest in Yarn's format: two spaces and a newline at the end. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the patterns for folders: `packages/ui`, `packages/core`, `app` → `packages/*`, `app`. */
function globsFor(folders: readonly string[]): string[] {
  return [...new Set(folders.map((folder) => (folder.includes('/') ? folder.replace(/[^/]+$/, '*') : folder)))];
}
