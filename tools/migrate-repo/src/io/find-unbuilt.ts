import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { callProgram } from '@tributary/process/spawn';
import type { YarnContext, YarnMessage } from './yarn.js';
import { yarnEnvironment } from './yarn-environment.js';

/**
 * The packages whose build scripts the settings of the monorepo switch off, in the words by which Yarn tells it (YN0004); in an installation that builds
 * nothing it does not. `undefined`: nothing lies in node_modules, where they would be seen. `folder`: the project, installed; `workspaces`:
 * their folders in it. Throws `INTERRUPTED`, `PROGRAM_MISSING`.
 */
export async function findUnbuilt(
  context: YarnContext,
  folder: AbsolutePath,
  workspaces: readonly string[],
): Promise<readonly YarnMessage[] | undefined> {
  const places = ['', ...workspaces].map((workspace) => join(folder, workspace, 'node_modules')).filter((place) => existsSync(place));
  if (places.length === 0) return undefined;
  const found = places.flatMap(packagesIn).filter(hasBuildScript);
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

/** Links are not followed: what they lead to lies somewhere else in the project, or is a workspace. */
function packagesIn(place: string): readonly RawManifest[] {
  const names = readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  return names.flatMap((name): readonly RawManifest[] => {
    if (name.startsWith('@') || name === '.store') return packagesIn(join(place, name));
    // The linker "pnpm" has a folder for each package in its store, and in that one called so.
    const folder = [join(place, name), join(place, name, 'package')].find((each) => existsSync(join(each, 'package.json')));
    if (folder === undefined) return [];
    const inside = join(folder, 'node_modules');
    const own = { ...readManifest(folder), hasGyp: existsSync(join(folder, 'binding.gyp')) };
    return [own, ...(existsSync(inside) ? packagesIn(inside) : [])];
  });
}

function readManifest(folder: string): RawManifest | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isPlainObject(value) ? value : undefined;
  } catch {
    // None, or one that Yarn has installed all the same.
    return undefined;
  }
}

function hasBuildScript({ scripts, hasGyp }: RawManifest): boolean {
  return hasGyp === true || (isPlainObject(scripts) && ['preinstall', 'install', 'postinstall'].some((name) => name in scripts));
}

/** What the root says of a package, by its name or name and version; `undefined`: nothing. */
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
