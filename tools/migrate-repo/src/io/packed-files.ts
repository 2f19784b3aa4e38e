import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, isInside, joinRepoPath, type RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { closedEnvironment } from '@tributary/process/environment';
import { runProgram } from '@tributary/process/spawn';
import type { TreeFiles } from '../align/project.js';

/** The packages whose published files are listed. */
export interface PackedQuestion {
  /** Relative to the root of the project. For most files, only the name matters. */
  readonly files: TreeFiles;
  /** The folders of the packages. */
  readonly folders: readonly RepoPath[];
  /** `alone`: each as its own repository. `workspace`: with the ignore files above it, as for "npm publish" in a workspace. */
  readonly as: 'alone' | 'workspace';
  /** An empty folder, which the caller removes. */
  readonly scratch: AbsolutePath;
  readonly signal?: AbortSignal;
}

/**
 * Returns the files that npm itself would publish of each package, by folder, sorted and relative to that folder. npm
 * reads a folder, so the files are written to `scratch`, empty except for manifests and ignore files. No code of the
 * package runs, no server is asked and no setting of the machine is read. One call lists all packages. Throws
 * `PROGRAM_MISSING` without npm, `PROGRAM_FAILED`, `INTERRUPTED`, `DISK_FULL`.
 */
export async function listPackedFiles(question: PackedQuestion): Promise<ReadonlyMap<RepoPath, readonly string[]>> {
  const { folders, scratch } = question;
  if (folders.length === 0) return new Map();
  const place = join(scratch, 'tree');
  layOut(question, place, asPackable);
  const chosen = folders.map((folder) => (question.as === 'alone' ? `./${folder}` : `--workspace=${folder}`));
  const output = await runProgram({
    program: 'npm',
    args: ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline', ...chosen],
    cwd: place,
    env: npmEnvironment(scratch),
    signal: question.signal,
  });
  return byFolder(question, parsePacked(output.toString()));
}

/** Returns an environment without settings from the home folder, the machine or the user's environment. */
function npmEnvironment(scratch: string): Readonly<Record<string, string>> {
  return closedEnvironment(process.env, {
    HOME: scratch,
    npm_config_userconfig: join(scratch, 'no-user-config'),
    npm_config_globalconfig: join(scratch, 'no-global-config'),
    npm_config_cache: join(scratch, 'cache'),
    npm_config_logs_max: '0',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  });
}

const IS_READ = /(?:^|\/)(?:package\.json|\.npmignore|\.gitignore)$/;

/**
 * Writes the files of the packages, empty except for ignore files and manifests, which `asManifest` may change. The
 * root manifest lists the packages as workspaces.
 */
export function layOut({ files, folders, as }: PackedQuestion, place: string, asManifest: (text: string) => string): void {
  const inside = (path: string): boolean => folders.some((folder) => isInside(path, folder));
  for (const path of files.paths) {
    const isRead = IS_READ.test(path);
    if (!inside(path) && (as === 'alone' || !isRead || path.endsWith('package.json'))) continue;
    const text = isRead ? (files.read(path) ?? '') : '';
    mkdirSync(join(place, dirname(path)), { recursive: true });
    writeFileSync(join(place, path), path.endsWith('package.json') ? asManifest(text) : text);
  }
  // npm reads every workspace that the root lists, so it lists only the requested ones.
  const root = JSON.stringify({ name: 'root', private: true, workspaces: folders });
  if (as === 'workspace') writeFileSync(join(place, 'package.json'), asManifest(root));
}

/**
 * Returns a manifest that npm can pack: with a name and a version, and without overrides, which may contradict
 * dependencies. None are installed here.
 */
function asPackable(text: string): string {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isPlainObject(manifest) ? JSON.stringify({ name: 'unnamed', version: '0.0.0', ...manifest, overrides: undefined }) : text;
  } catch {
    // A fixture of a test inside a package. Manifests of packages were parsed before.
    return text;
  }
}

interface Packed {
  readonly name: string;
  readonly files: readonly string[];
}

function parsePacked(text: string): readonly Packed[] {
  const value: unknown = JSON.parse(text);
  // npm 12 returns an object by package name.
  const list: readonly unknown[] = Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : [];
  return list.map((one) => {
    if (!isPlainObject(one) || typeof one['name'] !== 'string' || !Array.isArray(one['files']))
      throw misread('its output has no list of files');
    const files = one['files'].map((file: unknown) => (isPlainObject(file) ? String(file['path']) : ''));
    return { name: one['name'], files: files.sort() };
  });
}

function byFolder({ files, folders }: PackedQuestion, packed: readonly Packed[]): ReadonlyMap<RepoPath, readonly string[]> {
  return new Map(
    folders.map((folder) => {
      const manifest: unknown = JSON.parse(asPackable(files.read(joinRepoPath(folder, 'package.json')) ?? ''));
      const found = packed.find(({ name }) => isPlainObject(manifest) && name === manifest['name']);
      if (found === undefined) throw misread(`its output lacks ${folder}`);
      return [folder, found.files];
    }),
  );
}

function misread(why: string): ToolError {
  return new ToolError({
    code: 'PROGRAM_FAILED',
    message: `npm pack did not list the files that it would publish: ${why}.`,
    data: { program: 'npm' },
  });
}
