import type { Dice } from '@tributary/test-repo/dice';
import type { WrittenReads } from './reads.fixture.js';
import { textOf } from './side.fixture.js';

export type Mutable = Record<string, unknown>;
export type Ranges = Record<string, string>;

/** A monorepo that gets random changes before it is written. */
export interface World {
  readonly dice: Dice;
  lock: 'berry' | 'classic' | 'none';
  root: Mutable;
  /** Folder → manifest. */
  readonly members: Map<string, Mutable>;
  /** All files except manifests, lockfile and settings. */
  readonly files: Map<string, string>;
  /** The truth about files, beside what they say. */
  readonly reads: WrittenReads[];
  /** `.yarnrc.yml`. */
  settings: Mutable;
  /** `affected` in tributary.json. */
  affected: Mutable | undefined;
  turbo: Mutable | undefined;
  /** `name@range` → the version that the registry gave for it. */
  readonly picks: Map<string, string>;
  /** The dependencies of each package of the registry. */
  readonly registry: ReadonlyMap<string, Ranges>;
  /** A lockfile that is not updated. */
  staleLock: string | undefined;
  /** A counter that makes each change unique. */
  step: number;
}

export const OUTSIDERS = ['ext-a', 'ext-b', 'ext-c', 'ext-d', 'ext-e', 'ext-host', '@ext/f', 'ext-runner', 'jest', 'mocha'];
export const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'];
const NAMES = ['lib', '@s/ui', 'app', 'core', 'tool', '@s/data', 'web', 'peer-host', 'leaf', 'ring'];

const PATCHED = 'patch:ext-a@npm%3A1.0.0#~/.yarn/patches/ext-a.patch';

export function createWorld(dice: Dice): World {
  const world: World = {
    dice,
    lock: dice.pick(['berry', 'berry', 'berry', 'classic', 'none']),
    root: { name: 'monorepo', version: '1.0.0', private: true, packageManager: 'yarn@4.18.1', workspaces: ['packages/*', 'apps/**'] },
    members: new Map(),
    files: new Map(),
    reads: [],
    settings: { enableTelemetry: 'false' },
    affected: undefined,
    turbo: undefined,
    picks: new Map(),
    registry: makeRegistry(dice),
    staleLock: undefined,
    step: 0,
  };
  for (const name of NAMES.slice(0, 3 + dice.below(NAMES.length - 2))) addMember(world, name);
  for (const folder of [...world.members.keys()]) addDependencies(world, folder);
  addRoot(world);
  if (dice.chance(70)) addSettings(world);
  return world;
}

function makeRegistry(dice: Dice): Map<string, Ranges> {
  const registry = new Map<string, Ranges>();
  for (const name of OUTSIDERS) {
    for (const version of VERSIONS) {
      const ranges: Ranges = {};
      for (let count = dice.below(3); count > 0; count--) ranges[dice.pick(OUTSIDERS)] = dice.pick(['^1.0.0', '1.0.0', '*', '^2.0.0']);
      if (name === 'ext-host') ranges['lib'] = dice.pick(['^1.0.0', '*']);
      delete ranges[name];
      registry.set(`${name}@${version}`, ranges);
    }
  }
  return registry;
}

export function addMember(world: World, name: string): string {
  const { dice, members, files } = world;
  const short = name.replace(/^.*\//, '');
  const outer = dice.pick([...members.keys(), 'packages']);
  const folder = dice.chance(15)
    ? `apps/${short}/inner`
    : dice.chance(15) && outer.startsWith('apps/')
      ? `${outer}/${short}`
      : `packages/${short}`;
  members.set(folder, { name, version: dice.pick(['1.0.0', '1.0.0', '1.2.0', '2.0.0']), scripts: { test: 'jest', lint: 'eslint .' } });
  files.set(`${folder}/src/index.js`, 'export {};\n');
  if (dice.chance(30)) files.set(`${folder}/tsconfig.json`, '{"extends": "../../tsconfig.base.json"}\n');
  return folder;
}

/** Adds a few dependencies of every kind to a workspace. */
export function addDependencies(world: World, folder: string): void {
  const { dice } = world;
  for (let count = dice.below(4); count > 0; count--) addDependency(world, folder);
}

export function addDependency(world: World, folder: string): void {
  const { dice, members } = world;
  const manifest = members.get(folder) ?? world.root;
  const [target, other] = dice.pick([...members]);
  const name = textOf(other['name']);
  const field = dice.pick(['dependencies', 'dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']);
  if (dice.chance(40)) return addOutsider(world, manifest, field);
  if (target === folder) return;
  const relative = `${'../'.repeat(folder.split('/').length)}${target}`;
  const berry = [
    'workspace:^',
    'workspace:*',
    'workspace:~',
    `workspace:${target}`,
    `portal:${relative}`,
    `link:${relative}`,
    `file:${relative}`,
  ];
  const ranges = ['^1.0.0', '*', '1.x', '>=1', ...(world.lock === 'berry' ? berry : [])];
  if (field === 'peerDependencies') put(manifest, field, name, dice.pick(['^1.0.0', '^9.0.0', '*']));
  else if (dice.chance(10) && world.lock === 'berry') put(manifest, field, `alias-of-${name.replace(/^.*\//, '')}`, `npm:${name}@^1.0.0`);
  else put(manifest, field, name, dice.pick(ranges));
}

function addOutsider(world: World, manifest: Mutable, field: string): void {
  const { dice } = world;
  const name = dice.pick(OUTSIDERS);
  const isPatched = name === 'ext-a' && world.lock === 'berry' && field !== 'peerDependencies' && dice.chance(60);
  if (isPatched) world.files.set('.yarn/patches/ext-a.patch', 'diff --git a/index.js b/index.js\n');
  const hasCatalog = world.lock === 'berry' && field !== 'peerDependencies' && dice.chance(15);
  if (hasCatalog) world.settings['catalog'] = { ...(world.settings['catalog'] as object), [name]: '^1.0.0' };
  put(manifest, field, name, hasCatalog ? 'catalog:' : isPatched ? PATCHED : dice.pick(['^1.0.0', '1.0.0', '~1.1.0', '*', '^2.0.0']));
}

export function put(manifest: Mutable, field: string, name: string, value: string): void {
  manifest[field] = { ...(manifest[field] as object), [name]: value };
}

/** Adds the dependencies of the root, its scripts, and workspaces that call them. */
function addRoot(world: World): void {
  const { dice, members, root } = world;
  root['scripts'] = { test: 'jest', gen: 'node gen.js', prep: 'yarn gen', 'g:x': 'node x.js', release: 'node release.js' };
  if (dice.chance(50)) put(root, 'devDependencies', 'ext-runner', '^1.0.0');
  if (dice.chance(30)) put(root, 'devDependencies', dice.pick(OUTSIDERS), '^1.0.0');
  if (dice.chance(40)) put(root, 'devDependencies', textOf(dice.pick([...members.values()])['name']), '*');
  const calls = ['yarn run -T gen', 'yarn run -T prep && jest', 'yarn g:x', 'turbo run //#gen', 'ext-runner', 'yarn run -T release'];
  for (const manifest of members.values()) if (dice.chance(30)) put(manifest, 'scripts', dice.pick(['test', 'build']), dice.pick(calls));
  if (dice.chance(40))
    world.turbo = { globalDependencies: ['docs/api/**'], tasks: { test: { dependsOn: dice.pick([[], ['//#gen'], ['^build']]) } } };
  const shared = textOf(dice.pick([...members.values()])['name']);
  if (dice.chance(20)) put(root, 'devDependencies', shared, '*');
  if (dice.chance(20)) world.files.set('babel.config.js', `module.exports = { presets: ['${shared}'] };\n`);
  if (dice.chance(10)) put(root, 'scripts', 'test', `${shared} --ci`);
  for (const name of ['tsconfig.base.json', 'README.md', 'data/prices.json', 'tests/fake.js', 'eslint.config.mjs'])
    world.files.set(name, '{}\n');
}

function addSettings(world: World): void {
  const { dice, members } = world;
  const name = textOf(dice.pick([...members.values()])['name']);
  const rules = [
    { files: '**/*.md', affects: 'none' },
    { files: ['**/*.test.js', '!**/big.test.js'], affects: 'owner' },
    { files: 'data/**', affects: [name] },
    { files: ['scripts/**', '!scripts/build.sh'], affects: 'none' },
    { files: 'scripts/build.sh', affects: 'all' },
  ];
  world.affected = {
    rules: rules.filter(() => dice.chance(60)),
    ...(dice.chance(30) ? { always: [name] } : {}),
    ...(dice.chance(20) ? { reach: { [dice.pick(['documentation', 'tests', 'versions', 'testDependencies'])]: 'dependents' } } : {}),
    edges: makeEdges(world),
  };
}

/** Returns edges as `check --fix` writes them. */
export function makeEdges({ dice, members }: World): Mutable {
  const names = [...members.values()].map((manifest) => textOf(manifest['name']));
  const read = ['data/prices.json', 'tests/fake.js', 'README.md', ...[...members.keys()].map((folder) => `${folder}/src/index.js`)];
  const edges: Mutable = {};
  for (let count = 1 + dice.below(3); count > 0; count--) {
    const [from, to] = [dice.pick(names), dice.pick(names)];
    const workspaces = from === to ? {} : { workspaces: { [to]: 'packages/x/src/index.js:1' } };
    edges[from] = { ...workspaces, files: { [dice.pick(read)]: 'packages/x/src/index.js:2' } };
  }
  return edges;
}
