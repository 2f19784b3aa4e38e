import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { callProgram } from '@tributary/process/spawn';
import { parseManifest } from '@tributary/workspaces/manifest';
import { parseSyml } from '@yarnpkg/parsers';
import { yarnEnvironment } from './yarn-environment.js';

/** How the monorepo's own Yarn is started; its arguments follow. */
export interface Yarn {
  readonly program: string;
  readonly args: readonly string[];
  /** What corepack must find in the manifest of a folder to start the same one. */
  readonly packageManager: string | undefined;
}

/**
 * The Yarn of a monorepo, from the files of its root: the release that `yarnPath` names, else what `packageManager` names through corepack,
 * else `yarn` in PATH. Another release would write the lockfile in another format. Throws `YARN_MISSING`, `MANIFEST_INVALID`.
 */
export async function findYarn(root: AbsolutePath, signal?: AbortSignal): Promise<Yarn> {
  const { packageManager } = parseManifest(readFileSync(join(root, 'package.json'), 'utf8'), 'package.json');
  const release = findYarnRelease(root);
  if (release !== undefined) return { program: process.execPath, args: [release], packageManager };
  const wanted = /^yarn@([^+]+)/.exec(packageManager ?? '')?.[1];
  const corepack = { program: 'corepack', args: ['yarn'], packageManager };
  if (wanted !== undefined && (await askVersion(corepack, root, signal)) !== undefined) return corepack;
  const global = { program: 'yarn', args: [], packageManager };
  const version = await askVersion(global, root, signal);
  if (version !== undefined && (wanted === undefined ? !version.startsWith('1.') : version === wanted)) return global;
  throw missingYarn(wanted, version);
}

/** The release that `yarnPath` of .yarnrc.yml names, if it is there. */
export function findYarnRelease(root: AbsolutePath): string | undefined {
  const settings = join(root, '.yarnrc.yml');
  if (!existsSync(settings)) return undefined;
  const parsed: unknown = parseSyml(readFileSync(settings, 'utf8'));
  const yarnPath = isRecord(parsed) ? parsed['yarnPath'] : undefined;
  const file = typeof yarnPath === 'string' ? resolve(root, yarnPath) : undefined;
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** `undefined` where it does not start. */
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

function missingYarn(wanted: string | undefined, found: string | undefined): ToolError {
  const other = found === undefined ? 'none in PATH' : `${found} in PATH`;
  return new ToolError({
    code: 'YARN_MISSING',
    message: `The monorepo's own Yarn${wanted === undefined ? '' : `, ${wanted},`} cannot be started: yarnPath names none, corepack brings none, and there is ${other}.`,
    hint: `Commit the release: yarn set version ${wanted ?? 'stable'} --yarn-path`,
    data: { wanted, found },
  });
}
