// Bundles the tool in the current folder: `src/cli.ts` -> `out/cli.cjs` and every `src/<name>.bench.ts` -> `out/<name>.cjs`. Every
// `src/io/<name>.hook.ts`, which other programs load, becomes `out/<name>-hook.cjs`. A single file with everything starts three times
// slower than a small start file, and esbuild cannot split CommonJS. So each target of a dynamic `import()` becomes a separate file,
// `late-<package>-<file>.cjs` (docs/decisions/0003). Each file contains its own copy of the modules that it needs. So keep no state at the
// top of a module, and recognise a class by a brand, never by `instanceof`.
import childProcess from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
  ['../engines/engines.js'],
  ['@tributary/model/config'],
  ['@tributary/process/output-file', '@tributary/process/unusable-file'],
  ['@yarnpkg/extensions'],
  ['jsonc-parser'],
  ['octokit'],
  ['picomatch'],
  ['semver'],
  ['yaml'],
];
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
  // Loaded into the user's own programs, with any Node version.
  for (const entry of hooks)
    await bundle(`${entry.replace('.hook.ts', '-hook')}.cjs`, { entryPoints: [join(folder, 'src/io', entry)], target: 'node14.18' });
  for (const [name, modules] of late) await bundle(name, { stdin: lateEntry(modules), minifyIdentifiers: modules.every(isForeign) });
  if (programs.length > 0) writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices());
}

/**
 * Returns whether a module belongs to a third-party package. Such a package has a separate file: short names make yaml a third smaller, and
 * only its authors read its stack traces.
 */
function isForeign(module) {
  return /[\\/]node_modules[\\/]/.test(module);
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
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'external',
    minifySyntax: true,
    // Half of commander is comments, which esbuild removes only with this option. An uncaught error prints a whole source line, which must
    // not be the whole file.
    minifyWhitespace: true,
    lineLimit: 160,
    plugins: [
      { name: 'late-files', setup: lateFiles },
      { name: 'dear-builtins', setup: dearBuiltins },
    ],
    metafile: true,
    logLevel: 'warning',
    // CommonJS has no `import.meta`. esbuild would insert an empty object, and the failure would appear only at run time.
    logOverride: { 'empty-import-meta': 'error' },
  });
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) shipped.add(file);
  }
}

/**
 * Splits the bundle at every `import()` and at shared packages: the target is recorded, and a module that requires the late file at run
 * time replaces it.
 */
function lateFiles(build) {
  build.onResolve({ filter: /./ }, async ({ path, kind, namespace, importer, resolveDir, pluginData }) => {
    if (namespace === 'late') return { path, external: true };
    const shared = kind === 'import-statement' ? SHARED.find((together) => together.includes(path)) : undefined;
    if ((kind !== 'dynamic-import' && shared === undefined) || pluginData === 'asked') return undefined;
    const find = (module) => build.resolve(module, { kind: 'import-statement', importer, resolveDir, pluginData: 'asked' });
    const target = await find(path);
    if (target.external || target.errors.length > 0) return target;
    const modules = shared === undefined ? [target.path] : (await Promise.all(shared.map(find))).map((one) => one.path);
    const name = lateName(modules[0]);
    // One part of the file itself asks for another.
    if (basename(build.initialOptions.outfile) === name) return target;
    const others = late.get(name) ?? modules;
    if (others.join() !== modules.join()) throw new Error(`${name} would stand for ${others} and for ${modules}`);
    late.set(name, modules);
    return { path: name, namespace: 'late', pluginData: shared === undefined ? undefined : await namesOf(shared, modules) };
  });
  build.onLoad({ filter: /./, namespace: 'late' }, ({ path, pluginData: names }) => ({ contents: lateModule(path, names) }));
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

/** Returns the nearest package.json with a name: one without a name only sets the module format of a folder. */
function packageOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = existsSync(join(folder, 'package.json')) ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) : {};
    if (manifest.name !== undefined) return { folder, manifest };
  }
  throw new Error(`${file} belongs to no package`);
}

/** Returns name, version, licence and notice of every package with at least one byte in `out`. */
function thirdPartyNotices() {
  const files = [...shipped]
    .map((file) => resolve(folder, file))
    .concat(mappedSources())
    .filter(isForeign);
  const homes = files.map((file) => packageOf(file)).filter((home) => isForeign(join(home.folder, 'package.json')));
  const packages = new Map(homes.map((home) => [`${home.manifest.name} ${home.manifest.version}`, home]));
  const parts = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, home]) => notice(title, home));
  const first = 'The files of this folder contain code of the following packages, under the licences that stand below each name.\n';
  return [first, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the sources in all source maps. A package may itself be a bundle with third-party code, which only its map lists. */
function mappedSources() {
  const maps = readdirSync(out).filter((file) => file.endsWith('.map'));
  return maps.flatMap((file) => JSON.parse(readFileSync(join(out, file), 'utf8')).sources.map((source) => resolve(out, source)));
}

function notice(title, { folder, manifest }) {
  const licence = typeof manifest.license === 'string' ? manifest.license : manifest.license?.type;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file) && !/\.(js|json)$/.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (!files.some((file) => /^(licen[cs]e|copying)/i.test(file))) texts.unshift(licenceByName(title, licence, manifest));
  return [title, `Licence: ${licence ?? 'see below'}`, ...texts].join('\n\n').concat('\n');
}

/** Returns the text for a package that gives only the name of its licence. Throws for a licence whose text is not in `scripts/licences`. */
function licenceByName(title, licence, { author, name }) {
  const file = fileURLToPath(new URL(`./licences/${licence}.txt`, import.meta.url));
  if (!existsSync(file)) throw new Error(`${title} has no licence file, and scripts/licences has no text for "${licence}"`);
  const holder = name.startsWith('@yarnpkg/') ? 'Yarn Contributors' : (author?.name ?? author ?? `the authors of ${name}`);
  return `Copyright (c) ${holder}\n\n${readFileSync(file, 'utf8').trim()}`;
}
