import semver from 'semver';
import { writeLock } from './random-lock.fixture.js';
import { addRead, changeRole, release } from './random-reads.fixture.js';
import {
  addDependencies,
  addDependency,
  addMember,
  type Mutable,
  makeEdges,
  OUTSIDERS,
  put,
  type Ranges,
  VERSIONS,
  type World,
} from './random-world.fixture.js';

/** The changes of a world, by name. A change that does not fit the world does nothing. */
export const CHANGES: Readonly<Record<string, (world: World) => void>> = {
  'a source file': (world) =>
    touch(world, `${anyFolder(world)}/src/${world.dice.pick(['index.js', 'new.js', 'größe.js', 'a b.js', 'x.test.js', 'notes.md'])}`),
  'a file with a role': changeRole,
  'a release': release,
  'a new reader': (world) => {
    addRead(world);
    changeRole(world);
  },
  'what describes a workspace': (world) => {
    anyMember(world)[world.dice.pick(['description', 'keywords', 'license'])] = `text ${++world.step}`;
  },
  'a key of a workspace': (world) => {
    anyMember(world)[world.dice.pick(['exports', 'main', 'types', 'unheardOf'])] = './src/index.js';
  },
  'a moved file': (world) => {
    const { files, dice } = world;
    const from = dice.pick([...files.keys()]);
    files.set(`${anyFolder(world)}/src/moved-${world.step}.js`, files.get(from) ?? '');
    files.delete(from);
  },
  'a deleted file': ({ files, dice }) => void files.delete(dice.pick([...files.keys()])),
  'a version': (world) => {
    anyMember(world)['version'] = world.dice.pick(['1.0.1', '1.3.0', '2.0.0', '3.0.0-rc.1']);
  },
  'a new dependency': (world) => addDependency(world, anyFolder(world)),
  'a lost dependency': (world) => {
    const manifest = anyMember(world);
    const field = world.dice.pick(['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']);
    const [name] = Object.keys((manifest[field] ?? {}) as Ranges);
    if (name !== undefined) manifest[field] = Object.fromEntries(Object.entries(manifest[field] as Ranges).filter(([key]) => key !== name));
  },
  'a new workspace': (world) => {
    world.step++;
    addDependencies(world, addMember(world, `new-${world.step}`));
  },
  'a lost workspace': ({ members, files, dice }) => {
    if (members.size < 3) return;
    const folder = dice.pick([...members.keys()]);
    members.delete(folder);
    for (const path of [...files.keys()]) if (path.startsWith(`${folder}/src/`)) files.delete(path);
  },
  'a workspace inside of another': (world) => {
    const { members, dice } = world;
    const folders = [...members.keys()];
    const inner = folders.filter((folder) => folders.some((outer) => folder.startsWith(`${outer}/`)));
    const outer = folders.filter((folder) => folder.startsWith('apps/'));
    // Its files stay.
    if (inner.length > 0 && dice.chance(50)) members.delete(dice.pick(inner));
    else if (outer.length > 0) members.set(`${dice.pick(outer)}/src`, { name: `inner-${++world.step}`, version: '1.0.0' });
  },
  'a moved workspace': (world) => {
    const folder = anyFolder(world);
    const manifest = world.members.get(folder) ?? {};
    world.members.delete(folder);
    world.members.set(`${folder}-moved`.replace('/inner-moved', '-moved'), manifest);
  },
  'a new name': (world) => {
    anyMember(world)['name'] = `renamed-${++world.step}`;
  },
  'an upgrade': upgrade,
  'two upgrades': (world) => {
    upgrade(world);
    upgrade(world);
  },
  'an older lockfile': (world) => {
    world.staleLock = writeLock(world);
    addDependency(world, anyFolder(world));
  },
  'a resolution': (world) => put(world.root, 'resolutions', world.dice.pick(OUTSIDERS), world.dice.pick(VERSIONS)),
  'a script of the root': (world) =>
    put(world.root, 'scripts', world.dice.pick(['gen', 'prep', 'g:x', 'test', 'release', 'postinstall']), `node new.js ${++world.step}`),
  'a key of the root': (world) => {
    const key = world.dice.pick(['engines', 'jest', 'type', 'unheardOf', 'description', 'exports', 'packageManager', 'version', 'name']);
    const value = { packageManager: 'yarn@4.18.0', type: 'module', version: '9.0.0', name: 'renamed-root' }[key] ?? { a: ++world.step };
    world.root[key] = value;
  },
  'a dependency of the root': (world) =>
    put(world.root, 'devDependencies', world.dice.pick(OUTSIDERS), world.dice.pick(['*', '^2.0.0', '1.0.0'])),
  'a file of the root': (world) => touch(world, world.dice.pick(ROOT_FILES)),
  'what a workspace extends': (world) => touch(world, 'tsconfig.base.json'),
  'what an edge may name': (world) => touch(world, world.dice.pick(['README.md', `${anyFolder(world)}/src/index.js`])),
  'a workflow': (world) =>
    void world.files.set(
      world.dice.pick(['.github/workflows/ci.yml', '.github/workflows/label.yaml', '.gitlab-ci.yml', '.circleci/config.yml']),
      workflow(world),
    ),
  'a catalog': (world) => {
    const catalog = world.settings['catalog'] as Ranges | undefined;
    const [name] = Object.keys(catalog ?? {});
    if (name !== undefined) world.settings['catalog'] = { ...catalog, [name]: world.dice.pick(['1.0.0', '*', '^2.0.0']) };
  },
  'a package extension': (world) => {
    const key = `${world.dice.pick(OUTSIDERS)}@*`;
    const dependencies = { [world.dice.pick(['lib', 'ext-b', 'core'])]: '^1.0.0' };
    world.settings['packageExtensions'] = { [key]: { dependencies } };
  },
  'a setting of Yarn': (world) => {
    world.settings[world.dice.pick(['nodeLinker', 'unheardOf', 'enableColors', 'httpProxy'])] = `value-${++world.step}`;
  },
  'a patch': (world) => touch(world, '.yarn/patches/ext-a.patch'),
  'tributary.json': (world) => {
    world.affected = { ...world.affected, always: [String(anyMember(world)['name'])] };
  },
  'an edge': (world) => {
    world.affected = { ...world.affected, edges: world.dice.chance(50) ? {} : makeEdges(world) };
  },
  'turbo.json': (world) => {
    world.turbo = { tasks: { test: { cache: world.dice.chance(50) } } };
  },
  'a lost lockfile': (world) => {
    world.lock = world.lock === 'none' ? 'berry' : world.dice.pick(['none', 'berry', 'classic']);
  },
  'the order of keys': (world) => {
    world.root = Object.fromEntries(Object.entries(world.root).toReversed());
  },
};

const ROOT_FILES = [
  ...['.nvmrc', '.env.test', 'babel.config.js', 'jest.config.mjs', 'vitest.workspace.ts', 'tsconfig.base.json', 'tsconfig.build.json'],
  ...[
    'lerna.json',
    'nx.json',
    'Makefile',
    '.changeset/a.md',
    'CODEOWNERS',
    'codeowners.ts',
    'eslint-suppressions.json',
    'eslint.config.mjs',
  ],
  ...[
    'README.md',
    'docs/guide.md',
    'docs/api/a.md',
    'data/prices.json',
    'shared/fake.js',
    'scripts/build.sh',
    'scripts/a.js',
    'vendor/x/y.bin',
  ],
  ...[
    '.yarn/releases/yarn-4.cjs',
    '.gitignore',
    '.prettierrc',
    'tests/fake.js',
    'packages/notes.md',
    '.npmrc',
    'pnpm-lock.yaml',
    'bun.lock',
  ],
];

function touch(world: World, path: string): void {
  const extended = /^(lerna|nx|tsconfig.*)\.json$/.test(path) ? `{"a": ${++world.step}}\n` : `changed ${++world.step}\n`;
  world.files.set(path, extended);
}

function workflow({ dice, step }: World): string {
  const run = dice.pick(['yarn test', 'yarn turbo run test', 'echo label', 'affected --json', 'yarn run test']);
  return `name: w${step}\non: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v${dice.below(9)}\n      - run: ${run}\n`;
}

function upgrade({ picks, dice }: World): void {
  const [key] = dice.pick([...picks, ['', ''] as const]);
  const at = key.indexOf('@', 1);
  const others = VERSIONS.filter((one) => semver.satisfies(one, key.slice(at + 1)) && one !== picks.get(key));
  if (others.length > 0) picks.set(key, dice.pick(others));
}

function anyFolder({ dice, members }: World): string {
  return dice.pick([...members.keys()]);
}

function anyMember(world: World): Mutable {
  return world.members.get(anyFolder(world)) ?? {};
}
