import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findYarn } from '@tributary/migrate-repo/io/find-yarn';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { CommandLine } from './run-script.js';

/** What a repository is installed with, as its lockfile says, and how its people run a script. */
export interface PackageManager {
  readonly install: CommandLine;
  /** The same without the scripts that packages run at their installation: native code does not compile on every machine. */
  readonly installWithoutScripts: CommandLine;
  readonly test: CommandLine;
}

/** The manager of the repository in a folder. Throws `MANIFEST_INVALID`, `YARN_MISSING`. */
export async function managerOf(folder: string): Promise<PackageManager> {
  const has = (name: string): boolean => existsSync(join(folder, name));
  if (has('yarn.lock')) return yarnOf(folder);
  if (has('pnpm-lock.yaml')) return pnpmOf(folder);
  const isLocked = has('package-lock.json') || has('npm-shrinkwrap.json');
  return managed(['npm'], [isLocked ? 'ci' : 'install'], ['--ignore-scripts']);
}

async function yarnOf(folder: string): Promise<PackageManager> {
  const isClassic = !/^__metadata:/m.test(readFileSync(join(folder, 'yarn.lock'), 'utf8'));
  if (isClassic) return managed(['npx', '--yes', 'yarn@1.22.22'], ['install', '--frozen-lockfile', ...ONE_AT_A_TIME], ['--ignore-scripts']);
  const { program, args } = await findYarn(parseAbsolutePath(folder));
  return managed([program, ...args], ['install', '--immutable'], ['--mode=skip-build']);
}

// Two of them at once break the cache that they share.
const ONE_AT_A_TIME = ['--mutex', `file:${join(tmpdir(), 'yarn-classic-mutex')}`];

/** The release that the manifest names, else one that knows the lockfile. */
function pnpmOf(folder: string): PackageManager {
  const { packageManager } = parseManifest(readFileSync(join(folder, 'package.json'), 'utf8'), 'package.json');
  const [, format] = /^lockfileVersion: '?(\d+)/m.exec(readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8')) ?? [];
  const named = /^pnpm@[^+]+/.exec(packageManager ?? '')?.[0];
  return managed(['npx', '--yes', named ?? (format === '9' ? 'pnpm@9' : 'pnpm@8')], ['install', '--frozen-lockfile'], ['--ignore-scripts']);
}

function managed(program: CommandLine, install: readonly string[], withoutScripts: readonly string[]): PackageManager {
  const installing: CommandLine = [...program, ...install];
  return { install: installing, installWithoutScripts: [...installing, ...withoutScripts], test: [...program, 'run', 'test'] };
}
