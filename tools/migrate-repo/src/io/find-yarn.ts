import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { shellWord } from '@tributary/model/shell-word';
import { callProgram } from '@tributary/process/spawn';
import { readTextFile } from '@tributary/process/unusable-file';
import { parseManifest } from '@tributary/workspaces/manifest';
import { parseSyml } from '@yarnpkg/parsers';
import { yarnEnvironment } from './yarn-environment.js';

/** The command that starts the monorepo's own Yarn. Its arguments are appended. */
export interface Yarn {
  readonly program: string;
  readonly args: readonly string[];
  /** The `packageManager` that makes corepack start the same Yarn in another folder. */
  readonly packageManager: string | undefined;
}

/**
 * Returns the Yarn of a monorepo, from the files of its root. It is the release that `yarnPath` names, else the version
 * of `packageManager` through corepack, else `yarn` in PATH. Another release would write another lockfile format.
 * Throws `YARN_MISSING`, `MANIFEST_INVALID`.
 */
export async function findYarn(root: AbsolutePath, signal?: AbortSignal): Promise<Yarn> {
  const { packageManager } = parseManifest(readTextFile(join(root, 'package.json')), 'package.json');
  const yarnPath = readYarnPath(root);
  const release = existingRelease(root, yarnPath);
  if (release !== undefined) return { program: process.execPath, args: [release], packageManager };
  const asked = /^yarn@([^+]+)/.exec(packageManager ?? '')?.[1];
  if (asked?.startsWith('1.') === true) throw oldYarn(asked);
  const wanted = asked ?? /yarn-(\d[\w.-]*?)\.c?js$/.exec(yarnPath ?? '')?.[1];
  const corepack = { program: 'corepack', args: ['yarn'], packageManager };
  if (asked !== undefined && (await askVersion(corepack, root, signal)) !== undefined) return corepack;
  const global = { program: 'yarn', args: [], packageManager };
  const version = await askVersion(global, root, signal);
  if (version !== undefined && (wanted === undefined ? !version.startsWith('1.') : version === wanted)) return global;
  throw missingYarn({ wanted, found: version, yarnPath, packageManager });
}

/** Returns the release that `yarnPath` of .yarnrc.yml names, if it exists. */
export function findYarnRelease(root: AbsolutePath): string | undefined {
  return existingRelease(root, readYarnPath(root));
}

function existingRelease(root: AbsolutePath, yarnPath: string | undefined): string | undefined {
  const file = yarnPath === undefined ? undefined : resolve(root, yarnPath);
  return file !== undefined && existsSync(file) ? file : undefined;
}

function readYarnPath(root: AbsolutePath): string | undefined {
  const settings = join(root, '.yarnrc.yml');
  if (!existsSync(settings)) return undefined;
  const parsed: unknown = parseSyml(readTextFile(settings));
  const yarnPath = isPlainObject(parsed) ? parsed['yarnPath'] : undefined;
  return typeof yarnPath === 'string' ? yarnPath : undefined;
}

/** Returns the version of a Yarn; `undefined` if it does not start. */
async function askVersion(yarn: Yarn, root: AbsolutePath, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    const call = {
      program: yarn.program,
      args: [...yarn.args, '--version'],
      cwd: root,
      env: yarnEnvironment(root),
      timeoutMs: 60_000,
      signal,
    };
    const { exit, stdout } = await callProgram(call);
    return exit === 0 ? stdout.toString('utf8').trim() : undefined;
  } catch (error) {
    if (isToolError(error) && (error.code === 'PROGRAM_MISSING' || error.code === 'PROGRAM_TIMEOUT')) return undefined;
    throw error;
  }
}

interface Missing {
  readonly wanted: string | undefined;
  readonly found: string | undefined;
  readonly yarnPath: string | undefined;
  readonly packageManager: string | undefined;
}

function missingYarn({ wanted, found, yarnPath, packageManager }: Missing): ToolError {
  const release = yarnPath === undefined ? 'yarnPath is not set' : `yarnPath names ${yarnPath}, which is not in the commit`;
  const manager = packageManager?.startsWith('yarn@') === false ? `packageManager names ${packageManager}` : 'corepack has no Yarn';
  const other = found === undefined ? 'no working Yarn in PATH' : `${found} in PATH`;
  return new ToolError({
    code: 'YARN_MISSING',
    message: `The monorepo's own Yarn${wanted === undefined ? '' : `, ${wanted},`} cannot be started: ${release}, ${manager}, and there is ${other}.`,
    hint: `Commit the release: yarn set version ${shellWord(wanted ?? 'stable')} --yarn-path.`,
    data: { wanted, found, yarnPath, packageManager },
  });
}

/** Returns the error for Yarn 1. Only monorepos with a lockfile of a newer Yarn are installed. */
function oldYarn(wanted: string): ToolError {
  return new ToolError({
    code: 'YARN_MISSING',
    message: `The package.json of the monorepo names Yarn ${wanted} as its packageManager, and its yarn.lock is one of Yarn 2 or later.`,
    hint: 'Set packageManager to the Yarn that wrote the lockfile, or commit its release: yarn set version stable --yarn-path.',
    data: { wanted },
  });
}
