import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { Dice } from '@tributary/test-repo/dice';
import { type LocalRegistry, type PublishedPackage, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { changedPackages } from './changed-packages.js';

// Where real Yarn puts packages, before and after a change of one dependency of the root.

const cleanUp = cleanUpIn(afterAll);
const NAMES = Array.from({ length: 9 }, (_, at) => `n${at}`);
const MEMBERS = ['packages/app', 'packages/lib'];

type Ranges = Record<string, string>;

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.close());

/** Two versions of each package, which ask for later ones, for peers, and sometimes for themselves in a circle. */
function publish(dice: Dice, prefix: string): void {
  for (const [at, name] of NAMES.entries())
    for (const version of ['1.0.0', '2.0.0']) {
      const [dependencies, peerDependencies]: [Ranges, Ranges] = [{}, {}];
      for (const [other, asked] of NAMES.entries()) {
        if (other > at && dice.chance(15)) dependencies[prefix + asked] = `^${1 + dice.below(2)}.0.0`;
        else if (other > at && dice.chance(8)) peerDependencies[prefix + asked] = '*';
        else if (other < at && dice.chance(4)) dependencies[prefix + asked] = `^${1 + dice.below(2)}.0.0`;
      }
      const published: PublishedPackage = { manifest: { name: prefix + name, version, dependencies, peerDependencies } };
      registry.add(published);
    }
}

function ranges(dice: Dice, prefix: string): Ranges {
  return Object.fromEntries(NAMES.filter(() => dice.chance(35)).map((name) => [prefix + name, `^${1 + dice.below(2)}.0.0`]));
}

/** Returns by name the folders of a package, each with its version. */
function installedIn(root: string, folder = ''): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, place: string): void => void found.set(name, [...(found.get(name) ?? []), place].sort());
  for (const member of folder === '' ? MEMBERS : [])
    for (const [name, places] of installedIn(root, member)) for (const place of places) add(name, place);
  const modules = join(root, folder, 'node_modules');
  for (const name of existsSync(modules) ? readdirSync(modules) : []) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    const manifest = join(root, place, 'package.json');
    if (name.startsWith('.') || !existsSync(manifest) || !NAMES.some((one) => name.endsWith(one))) continue;
    add(name, `${place}@${JSON.parse(readFileSync(manifest, 'utf8')).version}`);
    for (const [inner, places] of installedIn(root, place)) for (const one of places) add(inner, one);
  }
  return found;
}

async function install(folder: TempFolder, home: TempFolder, root: Ranges): Promise<void> {
  folder.write('package.json', formatManifest({ name: 'monorepo', private: true, workspaces: ['packages/*'], devDependencies: root }));
  const { code, stdout } = await runProcess(process.execPath, [yarnRelease(findProjectRoot()), 'install', '--no-immutable'], {
    cwd: folder.path,
    env: registryEnvironment(registry.url, home.path),
  });
  if (code !== 0) throw new Error(stdout);
}

function sideOf(folder: TempFolder) {
  const index = indexLock(readFileSync(join(folder.path, 'yarn.lock'), 'utf8'));
  return { index, resolutions: new Map<string, string>(), extensions: [], catalogs: new Map() };
}

function differing(
  one: ReadonlyMap<string, readonly string[]>,
  other: typeof one,
  isCounted = (_: string): boolean => true,
): readonly string[] {
  const placesOf = (side: typeof one, name: string): string => (side.get(name) ?? []).filter(isCounted).join();
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => placesOf(one, name) !== placesOf(other, name));
}

test('each package that Yarn installs otherwise, or elsewhere, is named', async () => {
  let [moved, stayed] = [0, 0];
  for (let seed = 1; seed <= 12; seed += 1) {
    const dice = new Dice(seed);
    const prefix = `s${seed}-`;
    publish(dice, prefix);
    const [folder, home] = [cleanUp.add(new TempFolder()), cleanUp.add(createHome())];
    folder.write('.yarnrc.yml', 'nodeLinker: node-modules\nenableGlobalCache: false\n');
    for (const member of MEMBERS)
      folder.write(
        `${member}/package.json`,
        formatManifest({ name: member.slice(9), version: '1.0.0', dependencies: ranges(dice, prefix) }),
      );
    const root = ranges(dice, prefix);
    await install(folder, home, root);
    const [before, base] = [installedIn(folder.path), sideOf(folder)];
    const changed = prefix + dice.pick(NAMES);
    const { [changed]: was, ...others } = root;
    await install(
      folder,
      home,
      dice.chance(25) && was !== undefined ? others : { ...others, [changed]: was === '^1.0.0' ? '^2.0.0' : '^1.0.0' },
    );
    const [after, packages] = [installedIn(folder.path), changedPackages(base, sideOf(folder))];
    if ('unknown' in packages) throw new Error(packages.unknown);
    const differs = differing(before, after);
    expect({ seed, missed: differs.filter((name) => !packages.names.has(name)) }).toEqual({ seed, missed: [] });
    const nested = differing(before, after, (place) => !/^node_modules\/[^/]*$/.test(place));
    expect({ seed, missed: nested.filter((name) => !packages.nested.has(name)) }).toEqual({ seed, missed: [] });
    moved += differs.length;
    stayed += [...after.keys()].filter((name) => !packages.names.has(name)).length;
  }
  expect([moved > 10, stayed > 20]).toEqual([true, true]);
});
