import { posix } from 'node:path';
import type { World } from './random-world.fixture.js';
import type { Target, WrittenReads } from './reads.fixture.js';
import { textOf } from './side.fixture.js';

/** Files of a workspace that are no sources. */
const ROLES = [
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/guide.md', 'docs/logo.svg', 'docs/deep/more.md'],
  ...['test/helper.js', 'test/second.js', 'test/gen.js', 'test/cases/a.js', 'src/x.test.js', 'src/__tests__/y.js', 'spec/z.js'],
  ...['src/__snapshots__/x.test.js.snap', '__fixtures__/data.json', 'test/types.ts', 'jest.config.js', '.eslintrc.json'],
];
const ROOT_ROLES = ['e2e/a.test.js', 'e2e/helper.js', 'assets/a.json', 'tools/plain.js'];

/** Adds files of all kinds, and what reads them. The world keeps the truth beside what it writes. */
export function addRoles(world: World): void {
  const { dice, members, files } = world;
  for (const [folder, manifest] of members) {
    for (const path of ROLES) if (dice.chance(45)) files.set(`${folder}/${path}`, contentOf(path, 0));
    if (dice.chance(15)) manifest['exports'] = { '.': './src/index.js', './testing': './test/helper.js' };
    if (dice.chance(10)) manifest['exports'] = { './cases/*': { import: './test/cases/*.js' } };
    if (dice.chance(10)) manifest['main'] = './test/helper.js';
    if (dice.chance(5)) manifest['imports'] = { '#helper': './test/second.js' };
    const other = dice.pick([...members.keys()]);
    const up = '../'.repeat(folder.split('/').length);
    if (dice.chance(10))
      manifest['scripts'] = { ...(manifest['scripts'] as object), [dice.pick(['pretest', 'build'])]: `node ${up}${other}/test/gen.js` };
    if (dice.chance(10)) manifest['scripts'] = { ...(manifest['scripts'] as object), build: 'node test/gen.js' };
  }
  for (const path of ROOT_ROLES) if (dice.chance(70)) files.set(path, contentOf(path, 0));
  for (let count = 3 + dice.below(10); count > 0; count--) addRead(world);
  for (let count = dice.below(3); count > 0; count--) dice.pick([addSettings, addChain, addRootScript])(world);
}

/** Returns a text that fits a kind of file, and differs with each step. */
function contentOf(path: string, step: number): string {
  if (path.endsWith('.json')) return `{ "step": ${step} }\n`;
  return /\.[jt]s$/.test(path) ? `exports.step = ${step};\n` : `Step ${step}\n`;
}

/** Adds a file that reads something. */
export function addRead(world: World): void {
  const { dice, members, files } = world;
  const folder = dice.pick([...members.keys()]);
  const step = ++world.step;
  const names = [`src/reader-${step}.js`, `src/reader-${step}.js`, `src/deep/reader-${step}.ts`, `src/reader-${step}.mjs`];
  const tests = [`src/reader-${step}.test.js`, `test/reader-${step}.js`, `test/reader-${step}.js`];
  const settings = ['jest.config.js', 'babel.config.js', 'webpack.config.js', 'vitest.config.ts'];
  const file = `${folder}/${dice.pick([...names, ...tests, dice.pick(settings)])}`;
  const known = [...files.keys()].filter((path) => isTarget(path)).concat([...members.keys()].map((one) => `${one}/package.json`));
  const near = known.filter((path) => path.startsWith(`${folder}/`));
  const target = dice.pick(dice.chance(40) && near.length > 0 ? near : known);
  if (target !== file) keep(world, readerOf(world, file, target));
}

function isTarget(path: string): boolean {
  return /^(packages|apps|e2e|assets|tools)\//.test(path) && !path.startsWith('packages/notes');
}

function keep(world: World, reads: WrittenReads): void {
  world.files.set(reads.file, reads.text);
  world.reads.push(reads);
}

/** Writes a file that reads another one in one of many ways. */
function readerOf(world: World, file: string, path: string): WrittenReads {
  const { dice, members } = world;
  const way = dice.below(10);
  if (way === 0) return { file, ...folderRead(world, file, path) };
  if (way === 1) return { file, ...opaqueRead(world, file, path) };
  if (way === 2 && dice.chance(50)) {
    const registry = dice.pick(['jest', 'mocha']);
    return { file, text: `import '${registry}';\n`, targets: [{ registry }] };
  }
  const owner = [...world.members]
    .filter(([folder]) => path.startsWith(`${folder}/`))
    .sort(([one], [other]) => other.length - one.length)[0];
  if (way < 5 && owner !== undefined) {
    const [folder, manifest] = owner;
    const [name, below] = [textOf(manifest['name']), path.slice(folder.length + 1)];
    return { file, text: `${dice.pick(BY_NAME)(`${name}/${below}`)}\n`, targets: [{ workspace: name, below }] };
  }
  const relative = dotted(file, path);
  const isCode = /\.[jt]s$/.test(path);
  const own =
    [...members.keys()].filter((folder) => file.startsWith(`${folder}/`)).sort((one, other) => other.length - one.length)[0] ?? '';
  const texts = [
    ...WAYS.map((one) => one(relative)),
    ...(isCode ? IMPORTS.map((one) => one(relative)) : []),
    ...(own === '' ? [] : FROM_WORKSPACE.map((one) => one(posix.relative(own, path)))),
    `readFileSync('${path}');`,
    `execSync('node ${path} --all');`,
  ];
  const text = `${dice.pick(texts)}\n`;
  if (world.step % 6 === 0) return { file: file.replace(/\.\w+$/, '.yml'), text: `$ref: ${relative}\n`, targets: [{ path }] };
  return { file, text, targets: [{ path }] };
}

type Way = (path: string) => string;

const BY_NAME: readonly Way[] = [
  (name) => `import it from '${name}';`,
  (name) => `const { version } = require("${name}");`,
  (name) => `readFileSync(require.resolve('${name}'), 'utf8');`,
  (name) => `const it = await import('${name}', { with: { type: 'json' } });`,
  (name) => `readFileSync(createRequire(import.meta.url).resolve('${name}'));`,
  (name) => `export { default } from '${name}';`,
];

const quoted = (path: string): string =>
  path
    .split('/')
    .map((name) => `'${name}'`)
    .join(', ');

const WAYS: readonly Way[] = [
  (path) => `import it from '${path}';`,
  (path) => `import it from '${path}?raw';`,
  (path) => `const { version } = require('${path}');`,
  (path) => `readFileSync(join(__dirname, '${path}'), 'utf8');`,
  (path) => `readFileSync(path.join(__dirname, ${quoted(path)}), 'utf8');`,
  (path) => `readFileSync(path.resolve(__dirname, ${quoted(path)}));`,
  (path) => `readFileSync(new URL('${path}', import.meta.url));`,
  (path) => `readFileSync(\`\${__dirname}/${path}\`);`,
  (path) => `readFileSync(__dirname + '/${path}');`,
  (path) => `readFileSync(require.resolve('${path}'));`,
  (path) => `readFileSync(join(import.meta.dirname, '${path}'));`,
  (path) => `const HERE = dirname(fileURLToPath(import.meta.url));\nreadFileSync(join(HERE, '${path}'));`,
  (path) => `const up = join(__dirname, '${posix.dirname(path)}');\nreadFileSync(join(up, '${posix.basename(path)}'));`,
  (path) => `const file =\n  path.join(\n    __dirname,\n    '${path}',\n  );\nreadFileSync(file);`,
];

const IMPORTS: readonly Way[] = [
  (path) => `export * from '${path}';`,
  (path) => `import { step } from '${path.replace(/\.[jt]s$/, '')}';`,
  (path) => `import { step } from '${path.replace(/\.ts$/, '.js')}';`,
  (path) => `const it = await import('${path}');`,
  (path) => `jest.mock('${path}');`,
  (path) => `import helper from '${path.replace(/\/index\.js$/, '')}';`,
  (path) => `import type { Step } from '${path}';`,
  (path) => `/// <reference path="${path}" />`,
  (path) => `const worker = new Worker(new URL('${path}', import.meta.url));`,
  (path) => `fork(require.resolve('${path}'));`,
  (path) => `execFileSync('node', [join(__dirname, '${path}')]);`,
];

/** From the folder in which tests start. */
const FROM_WORKSPACE: readonly Way[] = [
  (path) => `readFileSync('${path}', 'utf8');`,
  (path) => `readFileSync(join(process.cwd(), '${path}'));`,
  (path) => `execSync("node ${path}");`,
  (path) => `spawnSync('node', ['${path}']);`,
];

type Written = Pick<WrittenReads, 'text' | 'targets'>;

function folderRead({ dice }: World, file: string, path: string): Written {
  const folder = posix.dirname(path);
  const relative = dotted(file, folder);
  const ways = [
    `readdirSync(join(__dirname, '${relative}'));`,
    `for (const name of readdirSync(join(__dirname, '${relative}'))) require(join(__dirname, '${relative}', name));`,
    `glob.sync('${relative}/**/*', { cwd: __dirname });`,
    `glob.sync(join(__dirname, '${relative}/**'));`,
    `import.meta.glob('${relative}/**/*');`,
    `require.context('${relative}', true);`,
    `readdirSync(new URL('${relative}/', import.meta.url));`,
    `cpSync(path.join(__dirname, ${quoted(relative)}), out, { recursive: true });`,
    `fg.sync('${folder}/**/*');`,
  ];
  const way = dice.pick(ways);
  // In a file of the root, the guide says, nobody knows where a pattern starts.
  const isKnown = way !== ways.at(-1) || !file.startsWith('tools/');
  return { text: `${way}\n`, targets: isKnown ? [{ path: folder }] : [] };
}

/** Reads a file, and only the running program knows which. */
function opaqueRead({ dice }: World, file: string, path: string): Written {
  const names = posix.dirname(file).split('/');
  const others = posix.dirname(path).split('/');
  const shared = names.findIndex((name, at) => others[at] !== name);
  const up = shared === -1 ? '.' : '../'.repeat(names.length - shared).slice(0, -1);
  const base = posix.basename(path);
  const ways = [
    `readFileSync(join(__dirname, '${up}', name));`,
    `readFileSync(path.resolve(__dirname, '${up}', name, '${base}'));`,
    `readFileSync(\`\${__dirname}/${up}/\${name}/${base}\`);`,
    `readFileSync(new URL(\`${up === '.' ? '.' : up}/\${name}\`, import.meta.url));`,
    `require(\`${up}/\${name}\`);`,
    `require('${dotted(file, posix.dirname(path))}/' + name);`,
    `await import(\`${dotted(file, posix.dirname(path))}/\${name}\`);`,
    `readFileSync(join(__dirname, '${dotted(file, posix.dirname(path))}', name + '.md'));`,
    `readFileSync(path.join(__dirname, '${up}', process.argv[2]));`,
  ];
  return { text: `${dice.pick(ways)}\n`, targets: [{ path, isOpaque: true }] };
}

/** Adds a setting that names files of another workspace, or of the root. */
function addSettings(world: World): void {
  const { dice, members, files } = world;
  const [folder, other] = [dice.pick([...members.keys()]), dice.pick([...members.keys()])];
  const up = '../'.repeat(folder.split('/').length).slice(0, -1);
  const base = `${other}/tsconfig.base.json`;
  if (other !== folder) files.set(base, contentOf(base, 0));
  const name = textOf(members.get(other)?.['name']);
  const settings: readonly (readonly [file: string, value: object, target: Target])[] = [
    ['tsconfig.json', { extends: `${up}/${base}` }, { path: base }],
    ['tsconfig.json', { extends: [`${up}/${base.replace('.json', '')}`] }, { path: base }],
    ['tsconfig.json', { extends: `${name}/tsconfig.base.json` }, { workspace: name, below: 'tsconfig.base.json' }],
    ['turbo.json', turbo(`${up}/${other}/docs/**`), { path: `${other}/docs` }],
    ['turbo.json', turbo(`$TURBO_ROOT$/${other}/README.md`), { path: `${other}/README.md` }],
    ['turbo.json', turbo('$TURBO_ROOT$/assets/a.json'), { path: 'assets/a.json' }],
    ['jest.config.json', { setupFiles: [`<rootDir>/${up}/${other}/test/helper.js`] }, { path: `${other}/test/helper.js` }],
    ['jest.config.json', { setupFiles: [`${up}/e2e/helper.js`] }, { path: 'e2e/helper.js' }],
  ];
  const [file, value, target] = dice.pick(settings);
  if (folder !== other) keep(world, { file: `${folder}/${file}`, text: `${JSON.stringify(value)}\n`, targets: [target] });
  const setup = dice.pick(['e2e/helper.js', `${other}/test/helper.js`, `${other}/src/index.js`]);
  if (dice.chance(20))
    keep(world, { file: 'jest.config.mjs', text: `export default { setupFiles: ['./${setup}'] };\n`, targets: [{ path: setup }] });
}

function turbo(input: string): object {
  return { extends: ['//'], tasks: { test: { inputs: ['$TURBO_DEFAULT$', input] } } };
}

/** Adds a helper of tests that reads something, and who uses the helper. */
function addChain(world: World): void {
  const { dice, members } = world;
  const [folder, other] = [dice.pick([...members.keys()]), dice.pick([...members.keys()])];
  const step = ++world.step;
  const helper = `${folder}/test/chained-${step}.js`;
  const second = `${folder}/test/cases/second-${step}.js`;
  world.files.set(second, contentOf(second, 0));
  const third = dice.pick([...members.keys()]);
  keep(world, readerOf(world, helper, dice.pick([second, `${folder}/package.json`, `${third}/README.md`, `${third}/test/helper.js`])));
  keep(world, readerOf(world, `${other}/${dice.pick(['src', 'test'])}/chained-${step}.js`, helper));
}

/** Adds a script of the root that reads something, and a workspace that uses the script. */
function addRootScript(world: World): void {
  const { dice, members, files } = world;
  const step = ++world.step;
  const script = `tools/script-${step}.js`;
  const known = [...files.keys()].filter((path) => /^(packages|apps|e2e|assets)\//.test(path) && isTarget(path));
  if (known.length === 0) return;
  keep(world, readerOf(world, script, dice.pick(known)));
  keep(world, readerOf(world, `${dice.pick([...members.keys()])}/src/uses-script-${step}${dice.pick(['', '.test'])}.js`, script));
}

/** Returns a path from a file to another one: `./a`, `../b`. */
function dotted(file: string, path: string): string {
  const relative = posix.relative(posix.dirname(file), path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Changes a file that is read, or one with a role. */
export function changeRole(world: World): void {
  const { dice, files, reads, members } = world;
  const read = reads.flatMap(({ targets }) => targets.flatMap((one) => ('path' in one ? [one.path] : [])));
  const near = [...files.keys()].filter((path) => read.some((one) => path === one || path.startsWith(`${one}/`)));
  const roles = [...ROLES, 'docs/new.md', 'test/new.js', 'test/cases/new.js'].map((path) => `${dice.pick([...members.keys()])}/${path}`);
  const path = dice.pick(dice.chance(75) && near.length > 0 ? near : [...roles, ...ROOT_ROLES]);
  // A reader that is changed reads nothing any more.
  if (reads.some(({ file }) => file === path)) files.set(path, `${files.get(path)}// ${++world.step}\n`);
  else files.set(path, contentOf(path, ++world.step));
}

/** Raises versions, with their changelogs, and with the ranges of those that depend on them. */
export function release(world: World): void {
  const { dice, members, files } = world;
  for (let count = 1 + dice.below(3); count > 0; count--) {
    const [folder, manifest] = dice.pick([...members]);
    const version = dice.pick(['1.0.1', '1.3.0', '2.0.0', '1.2.1']);
    manifest['version'] = version;
    files.set(`${folder}/CHANGELOG.md`, `# ${version}\n\n${++world.step}\n`);
    for (const other of [world.root, ...members.values()]) {
      for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
        const ranges = other[field] as Record<string, string> | undefined;
        const name = textOf(manifest['name']);
        if (/^[\d^]/.test(ranges?.[name] ?? '')) other[field] = { ...ranges, [name]: `^${version}` };
      }
    }
  }
}
