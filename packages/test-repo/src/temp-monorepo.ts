import { type Files, TempRepo, type TempRepoOptions } from './temp-repo.js';

/** A package.json. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface MonorepoDescription {
  /** Laid over `{name: "monorepo", private: true, packageManager, workspaces}`. */
  readonly root?: Manifest;
  /** Folder → manifest; a missing `name` is the folder's last name, a missing `version` is 1.0.0. */
  readonly packages: Readonly<Record<string, Manifest>>;
  /** More files, from the root: sources, `yarn.lock`, `.yarnrc.yml`. */
  readonly files?: Files;
}

/** A Yarn workspaces monorepo with one commit. It is not installed: there is no `yarn.lock` unless `files` brings one. */
export function createTempMonorepo(description: MonorepoDescription, options: TempRepoOptions = {}): TempRepo {
  const repo = TempRepo.create(options);
  repo.commit('Start the monorepo', { files: monorepoFiles(description) });
  return repo;
}

/** The same as files, for a repository that exists. */
export function monorepoFiles(description: MonorepoDescription): Files {
  const folders = Object.keys(description.packages);
  const root = { name: 'monorepo', private: true, packageManager: 'yarn@4.18.1', workspaces: globsFor(folders), ...description.root };
  const manifests = Object.entries(description.packages).map(([folder, manifest]) => [
    `${folder}/package.json`,
    formatManifest({ name: folder.slice(folder.lastIndexOf('/') + 1), version: '1.0.0', ...manifest }),
  ]);
  return { 'package.json': formatManifest(root), ...Object.fromEntries(manifests), ...description.files };
}

/** As Yarn writes it: two spaces and a newline at the end. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** `packages/ui`, `packages/core`, `app` → `packages/*`, `app`. */
function globsFor(folders: readonly string[]): string[] {
  return [...new Set(folders.map((folder) => (folder.includes('/') ? folder.replace(/[^/]+$/, '*') : folder)))];
}
