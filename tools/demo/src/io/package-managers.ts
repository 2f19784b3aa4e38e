import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { closedEnvironment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import { type LocalRegistry, type PublishedPackage, registryEnvironment } from '@tributary/test-repo/local-registry';
import { yarnClassic, yarnRelease } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { COMPANY_REGISTRY } from '../organisation.js';

export type PackageManager = 'npm' | 'Yarn 1' | 'Yarn 4';

/** What a package manager needs to run. */
export interface Surroundings {
  /** This project, whose Yarn releases are used. */
  readonly root: AbsolutePath;
  readonly registry: LocalRegistry;
  readonly signal: AbortSignal;
}

export const LOCKFILE_NAME = { npm: 'package-lock.json', 'Yarn 1': 'yarn.lock', 'Yarn 4': 'yarn.lock' } as const;

/** Returns the lockfile of a project with these manifests, by path. The package manager makes it, and it names the company's registry. */
export async function makeLockfile(
  manager: PackageManager,
  manifests: Readonly<Record<string, string>>,
  surroundings: Surroundings,
): Promise<string> {
  const folder = new TempFolder();
  try {
    for (const [path, text] of Object.entries(manifests)) write(folder.join(path), text);
    const lockfile = folder.join(LOCKFILE_NAME[manager]);
    // An empty lockfile marks the project root for Yarn 4. npm would treat it as broken.
    if (manager === 'Yarn 4') write(lockfile, '');
    await runManager(lockCommand(manager, surroundings.root), folder.path, surroundings);
    return readFileSync(lockfile, 'utf8').replaceAll(surroundings.registry.url, COMPANY_REGISTRY);
  } finally {
    folder.dispose();
  }
}

/** Installs the lockfile below `folder` with Yarn 4. Changes no file that git tracks. Throws `PROGRAM_FAILED`. */
export async function install(folder: AbsolutePath, surroundings: Surroundings): Promise<void> {
  await runManager([process.execPath, yarnRelease(surroundings.root), 'install', '--immutable'], folder, surroundings);
}

/** Returns this project's Yarn 1 as a package of a registry: npx downloads the package manager of a source. */
export function yarnClassicPackage(root: AbsolutePath): PublishedPackage {
  const folder = dirname(yarnClassic(root));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    manifest: { name: 'yarn', version: '1.22.22', bin: { yarn: './bin/yarn.js' } },
    files: { 'bin/yarn.js': read('yarn.js'), 'lib/cli.js': read('../lib/cli.js') },
  };
}

function lockCommand(manager: PackageManager, root: AbsolutePath): readonly [string, ...string[]] {
  switch (manager) {
    case 'npm':
      return ['npm', 'install', '--package-lock-only', '--ignore-scripts'];
    case 'Yarn 1':
      return [process.execPath, yarnClassic(root), 'install', '--ignore-scripts', '--non-interactive'];
    case 'Yarn 4':
      return [process.execPath, yarnRelease(root), 'install', '--mode=update-lockfile', '--no-immutable'];
  }
}

/** Runs a package manager against the local registry, without the user's settings. Throws `PROGRAM_FAILED` for any exit code but 0. */
async function runManager(
  [program, ...args]: readonly [string, ...string[]],
  folder: AbsolutePath,
  { registry, signal }: Surroundings,
): Promise<void> {
  const home = new TempFolder();
  try {
    const env = closedEnvironment(process.env, registryEnvironment(registry.url, home.path));
    const { exit, stdout, stderr } = await callProgram({ program, args, cwd: folder, env, timeoutMs: 60_000, signal });
    if (exit === 0) return;
    const command = [program, ...args].join(' ');
    throw new ToolError({
      code: 'PROGRAM_FAILED',
      message: `"${command}" ended with exit code ${exit}: ${(stderr || stdout.toString()).trim()}`,
      hint: 'The demo serves all packages on 127.0.0.1: check whether a proxy or a firewall blocks programs.',
      data: { command, exit },
    });
  } finally {
    home.dispose();
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
