// Bundles the tool in the current folder: `src/cli.ts` -> `out/cli.cjs` and every `src/<name>.bench.ts` -> `out/<name>.cjs`. Every
// `src/io/<name>.hook.ts`, which other programs load, becomes `out/<name>-hook.cjs`. A single file with everything starts three times
// slower than a small start file, and esbuild cannot split CommonJS. So each target of a dynamic `import()` becomes a separate file,
// `late-<package>-<file>.cjs` (docs/decisions/0003). Each file contains its own copy of the modules that it needs, but for `SHARED` and
// `HOMES`. So keep no state at the top of a module, and recognise a class by a brand, never by `instanceof`.
import childProcess from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { isForeign, packageOf, thirdPartyNotices } from './bundle-notices.mjs';

const folder = process.cwd();
const out = join(folder, 'out');
const sources = readdirSync(join(folder, 'src'));
const programs = sources.filter((file) => file === 'cli.ts' || file.endsWith('.bench.ts'));
const hooks = sources.includes('io') ? readdirSync(join(folder, 'src/io')).filter((file) => file.endsWith('.hook.ts')) : [];
/** Packages installed beside the bundle, because they have native parts. All other packages are needed only to build. */
const external = Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies ?? {});
/**
 * What many files use: it would make up half of the tool, each several times. What is always needed together is one file, because Node takes
 * as long to find a small file as to compile it.
 */
const SHARED = [
  ['@tributary/git/objects', '@tributary/git/git', '@tributary/process/spawn'],
  ['@tributary/affected/engines/engines'],
  ['@tributary/model/config'],
  ['@tributary/process/output-file', '@tributary/process/unusable-file'],
  ['@yarnpkg/extensions'],
  ['@yarnpkg/parsers'],
  ['jsonc-parser'],
  ['octokit'],
  ['braces'],
  ['picomatch'],
  ['semver'],
  ['yaml'],
];
/**
 * Late files of affected from which other late files take modules, because several need them: `from` and its imports, if their names match `only`.
 * What start files need is left out, because they must not load a whole answer.
 */
const HOMES = [
  { file: 'cli/select', from: 'run/select', only: /./ },
  { file: 'run/compare-ci-files', from: 'run/compare-ci-files', only: /\/ci-files\// },
  // The scanner of sources: most answers look into a changed workspace.
  { file: 'run/narrow-files', from: 'run/narrow-files', only: /\/references\// },
];
/** The first files of a call. */
const STARTS = ['cli'];
const homes = [];
/** Files that take nothing from a home: start files, and what other programs load. */
const noHome = new Set();
const shipped = new Set();
/** The late files by name: which modules each one stands for. The loop over it may add to it while it runs. */
const late = new Map();

try {
  await bundleAll();
} catch (error) {
  // esbuild has already printed its own errors, with their location.
  if (!Array.isArray(error.errors)) console.error(error);
  process.exitCode = 1;
}

async function bundleAll() {
  rmSync(out, { recursive: true, force: true });
  for (const entry of programs) {
    const name = `${entry.replace(/(\.bench)?\.ts$/, '')}.cjs`;
    await bundle(name, { entryPoints: [join(folder, 'src', entry)], banner: { js: '#!/usr/bin/env node' } });
    chmodSync(join(out, name), 0o755);
  }
  // Loaded into the user's own programs, with any Node version. No message shows their stack traces, so that short names do no harm.
  for (const entry of hooks)
    await bundle(`${entry.replace('.hook.ts', '-hook')}.cjs`, {
      entryPoints: [join(folder, 'src/io', entry)],
      target: 'node14.18',
      minifyIdentifiers: true,
    });
  await findHomes();
  for (const [name, modules] of late) await bundle(name, { stdin: lateEntry(modules), minifyIdentifiers: modules.every(isForeign) });
  if (programs.length > 0) writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(folder, shipped));
}

async function bundle(name, from) {
  const { metafile } = await build({
    target: 'node20.19',
    ...from,
    outfile: join(out, name),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // `import()` becomes `require()`: the ESM loader would cost some milliseconds at its first use.
    supported: { 'dynamic-import': false },
    // Resolves to the sources, never to `dist`, which may contain the outputs of deleted files.
    conditions: ['@tributary/source'],
    // The CommonJS file of some packages (jsonc-parser) requires its parts in a way that no bundler can follow.
    mainFields: ['module', 'main'],
    external,
    define: { SOURCES_VERSION: JSON.stringify(sourcesVersion()) },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'external',
    minifySyntax: true,
    // Half of commander is comments, which esbuild removes only with this option. An uncaught error prints a whole source line, which must
    // not be the whole file.
    minifyWhitespace: true,
    lineLimit: 240,
    plugins: [
      { name: 'late-files', setup: lateFiles },
      { name: 'dear-builtins', setup: dearBuiltins },
    ],
    metafile: true,
    logLevel: 'warning',
    // CommonJS has no `import.meta`. esbuild would insert an empty object, and the failure would appear only at run time.
    logOverride: { 'empty-import-meta': 'error', 'ambiguous-reexport': 'error' },
  });
  const inside = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const files = inside.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  for (const file of files) shipped.add(file);
  return files;
}

/** Returns a hash of the sources of the tool and the packages: what another version kept must not be taken for its own. */
function sourcesVersion() {
  const hash = createHash('sha256');
  const packages = join(import.meta.dirname, '../packages');
  for (const part of [...readdirSync(packages).map((name) => join(packages, name)), folder]) {
    const sources = join(part, 'src');
    const files = readdirSync(sources, { recursive: true }).filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file));
    for (const file of files.sort()) hash.update(readFileSync(join(sources, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Splits the bundle at every `import()` and at shared packages: the target is recorded, and a module that requires the late file at run
 * time replaces it.
 */
function lateFiles(build) {
  build.onResolve({ filter: /./ }, async ({ path, kind, namespace, importer, resolveDir, pluginData }) => {
    if (namespace === 'late') return { path, external: true };
    const module = kind === 'import-statement' && pluginData !== 'asked' ? moduleName(path, resolveDir) : undefined;
    const home = module === undefined ? undefined : homeOf(module, basename(build.initialOptions.outfile));
    if (home !== undefined) return { path: `./${home}`, external: true };
    const shared = module === undefined ? undefined : SHARED.find((together) => together.includes(module));
    if ((kind !== 'dynamic-import' && shared === undefined) || pluginData === 'asked') return undefined;
    const find = (module) => build.resolve(module, { kind: 'import-statement', importer, resolveDir, pluginData: 'asked' });
    const target = await find(path);
    if (target.external || target.errors.length > 0) return target;
    const modules = shared === undefined ? modulesWith(target.path) : (await Promise.all(shared.map(find))).map((one) => one.path);
    const name = lateName(modules[0]);
    if (shared !== undefined) noHome.add(name);
    // One part of the file itself asks for another.
    if (basename(build.initialOptions.outfile) === name) return target;
    const others = late.get(name) ?? modules;
    if (others.join() !== modules.join()) throw new Error(`${name} would stand for ${others} and for ${modules}`);
    late.set(name, modules);
    return { path: name, namespace: 'late', pluginData: shared === undefined ? undefined : await namesOf(shared, modules) };
  });
  build.onLoad({ filter: /./, namespace: 'late' }, ({ path, pluginData: names }) => ({ contents: lateModule(path, names) }));
}

/** Returns the name by which packages import one of our modules, also for a relative path; other paths as they are. */
function moduleName(path, folder) {
  if (!path.startsWith('.') || isForeign(join(folder, path))) return path;
  return nameOfOwn(join(folder, path));
}

function nameOfOwn(file) {
  const home = packageOf(file);
  return `${home.manifest.name}/${relative(join(home.folder, 'src'), file)}`.replaceAll('\\', '/').replace(/\.\w+$/, '');
}

/** Returns the late file that gives a module to the file `asking`. A home takes only from homes before it, so that the first loads no other. */
function homeOf(module, asking) {
  if (noHome.has(asking)) return undefined;
  const own = homes.findIndex(({ name }) => name === asking);
  return (own < 0 ? homes : homes.slice(0, own)).find(({ names }) => names.has(module))?.name;
}

/** Returns the modules of the late file whose first module is `file`. */
function modulesWith(file) {
  return homes.find(({ modules }) => modules[0] === file)?.modules ?? [file];
}

/** Finds the modules that homes give. */
async function findHomes() {
  const needed = new Set();
  for (const file of STARTS.map(sourceOf).filter(existsSync)) {
    noHome.add(lateName(file));
    for (const one of await ownModulesIn(file)) needed.add(nameOfOwn(one));
  }
  for (const home of HOMES.filter((one) => existsSync(sourceOf(one.file)) && existsSync(sourceOf(one.from)))) {
    const file = sourceOf(home.file);
    const given = (module) => module !== file && !needed.has(nameOfOwn(module)) && home.only.test(nameOfOwn(module));
    const modules = [file, ...(await ownModulesIn(sourceOf(home.from))).filter(given)];
    homes.push({ name: lateName(file), modules, names: new Set(modules.map(nameOfOwn)) });
    late.set(lateName(file), modules);
  }
}

function sourceOf(name) {
  return join(folder, 'src', `${name}.ts`);
}

/** Returns those of our modules that the late file of a module holds. */
async function ownModulesIn(file) {
  const inputs = await bundle(lateName(file), { stdin: lateEntry([file]), write: false });
  return inputs.map((input) => resolve(folder, input)).filter((input) => existsSync(input) && !isForeign(input));
}

/** What shared modules of one file export; `undefined` for one that is a function. */
async function namesOf(paths, files) {
  const names = await Promise.all(files.map((file, at) => (isForeign(file) ? namesOfForeign(paths[at], file) : namesOfOwn(file))));
  return names.includes(undefined) ? undefined : names.flat();
}

function namesOfForeign(path, file) {
  const all = createRequire(file)(path);
  return typeof all === 'function' ? undefined : Object.keys(all);
}

/** Returns the exports of one of our modules: TypeScript cannot be required. */
async function namesOfOwn(file) {
  const { metafile } = await build({ entryPoints: [file], format: 'esm', outdir: out, write: false, metafile: true });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}

/** Returns a module that stands for a late file. With names, the file is required only when one of them is first used. */
function lateModule(file, names) {
  if (names === undefined) return `export * from './${file}'; export { default } from './${file}';`;
  const getters = names.map((name) => `get ${name}() { return all().${name}; }`);
  return `let known; const all = () => (known ??= require('./${file}')); module.exports = { ${getters.join(', ')} };`;
}

/**
 * Gives CommonJS packages (commander, yaml) cheap versions of Node modules that they require at their top. `require('process')` makes Node
 * read all its properties and so create its three streams; `child_process` loads half of Node's network code.
 */
function dearBuiltins(build) {
  const parts = Object.keys(childProcess).map((name) => `get ${name}() { return require('node:child_process').${name}; }`);
  const light = { process: 'module.exports = process;', child_process: `module.exports = { ${parts.join(', ')} };` };
  build.onResolve({ filter: /^(node:)?(child_)?process$/ }, ({ path, kind, namespace }) =>
    kind === 'require-call' && namespace !== 'light' ? { path: path.replace('node:', ''), namespace: 'light' } : undefined,
  );
  build.onLoad({ filter: /./, namespace: 'light' }, ({ path }) => ({ contents: light[path] }));
}

/**
 * Returns the entry of a late file. The module itself as entry would be CommonJS to its importer, and Node gives a whole CommonJS module as
 * `default`. So the entry is written out. As `.mts`, it reads CommonJS packages like Node, which is what TypeScript checked.
 */
function lateEntry(modules) {
  const [from, ...others] = modules.map((module) => JSON.stringify(module));
  const exported = [from, ...others].map((module) => `export * from ${module};\n`).join('');
  const contents = `import * as all from ${from};\n${exported}export default Reflect.get(all, 'default');\n`;
  return { contents, resolveDir: folder, sourcefile: 'late.mts', loader: 'ts' };
}

function lateName(module) {
  const home = packageOf(module);
  const file = relative(home.folder, module)
    .replace(/^(src|dist|lib|out)[\\/]/, '')
    .replace(/\.\w+$/, '');
  return `late-${home.manifest.name.replace(/^@(tributary\/)?/, '')}-${file}`.replace(/[^\w.-]+/g, '-').concat('.cjs');
}
