import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { callProgram } from '@tributary/process/spawn';
import { readTextFile } from '@tributary/process/unusable-file';
import { needsBuild } from './needs-build.js';
import type { YarnContext, YarnMessage } from './yarn.js';
import { yarnEnvironment } from './yarn-environment.js';

/**
 * Returns the packages whose build scripts are needed and the monorepo's settings disable, as Yarn's messages (YN0004), which an
 * installation without builds omits. `undefined` if there is no node_modules to search. `folder` is the installed
 * project, `workspaces` are its workspace folders. Throws `INTERRUPTED`, `PROGRAM_MISSING`.
 */
export async function findUnbuilt(
  context: YarnContext,
  folder: AbsolutePath,
  workspaces: readonly string[],
): Promise<readonly YarnMessage[] | undefined> {
  const places = ['', ...workspaces].map((workspace) => join(folder, workspace, 'node_modules')).filter((place) => existsSync(place));
  if (places.length === 0) return undefined;
  const found = places.flatMap(packagesIn).filter((one) => needsBuild(one, one['hasGyp'] === true ? 'there' : 'missing'));
  if (found.length === 0 || (await runsAllScripts(context, folder))) return [];
  const built = builtIn(readManifest(folder)?.['dependenciesMeta']);
  const names = found.map(({ name, version }) => [String(name), String(version)] as const);
  const locators = names.flatMap(([name, version]) => (built(name, version) === undefined ? [`${name}@npm:${version}`] : []));
  return [...new Set(locators)].map((locator) => ({
    type: 'warning',
    code: 'YN0004',
    text: `${locator} lists build scripts, but all build scripts have been disabled.`,
    step: 'Link step',
  }));
}

type RawManifest = Readonly<Record<string, unknown>>;

/**
 * Returns the manifests of the packages in a folder. Links are not followed: their targets are elsewhere in the
 * project, or are workspaces.
 */
function packagesIn(place: string): readonly RawManifest[] {
  const names = readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  return names.flatMap((name): readonly RawManifest[] => {
    if (name.startsWith('@') || name === '.store') return packagesIn(join(place, name));
    // The store of the linker "pnpm" has a folder for each package, with the package in a folder named `package`.
    const folder = [join(place, name), join(place, name, 'package')].find((each) => existsSync(join(each, 'package.json')));
    if (folder === undefined) return [];
    const inside = join(folder, 'node_modules');
    const own = { ...readManifest(folder), hasGyp: existsSync(join(folder, 'binding.gyp')) };
    return [own, ...(existsSync(inside) ? packagesIn(inside) : [])];
  });
}

function readManifest(folder: string): RawManifest | undefined {
  try {
    const value: unknown = JSON.parse(readTextFile(join(folder, 'package.json')));
    return isPlainObject(value) ? value : undefined;
  } catch {
    // The manifest is missing or invalid, and Yarn installed the package anyway.
    return undefined;
  }
}

/** Returns the root's `built` setting for a package, by name or name and version; `undefined` if there is none. */
function builtIn(meta: unknown): (name: string, version: string) => unknown {
  return (name, version) => {
    const entries = isPlainObject(meta) ? [meta[`${name}@${version}`], meta[name]] : [];
    return entries.map((entry) => (isPlainObject(entry) ? entry['built'] : undefined)).find((built) => built !== undefined);
  };
}

async function runsAllScripts({ yarn, root, env, signal }: YarnContext, folder: AbsolutePath): Promise<boolean> {
  const { stdout } = await callProgram({
    program: yarn.program,
    args: [...yarn.args, 'config', 'get', 'enableScripts'],
    cwd: folder,
    env: yarnEnvironment(root, { YARN_IGNORE_PATH: '1', ...env }),
    signal,
  });
  return stdout.toString('utf8').trim() === 'true';
}
