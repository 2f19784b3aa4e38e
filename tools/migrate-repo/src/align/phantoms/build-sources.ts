import { posix } from 'node:path';
import { scriptsOf } from '../../fields.js';
import { shellCommandsIn } from '../../scripts.js';
import { packedTest } from '../publishing/packed.js';
import { builtTargets, filesFrom, likelySources, type OwnFiles, targetsOf } from './reach.js';

/** Folders that builds take sources from. */
const SOURCES = ['src', 'source', 'sources', 'lib', 'app', 'packages'];
/** A script in the top folder. */
const TOP_SCRIPT = /^[^/]+\.[cm]?[jt]sx?$/;

/**
 * Returns whether a file may be published: as it is, or as the source of a file that a build makes. Where it is unknown
 * what a build makes an entry point from, any file may be its source, except scripts beside package.json that neither
 * the build nor its sources name, the programs that the build runs, and folders of programs.
 */
export function publishedTest(manifest: Readonly<Record<string, unknown>>, files: OwnFiles): (file: string) => boolean {
  const isPacked = packedTest({ manifest, read: files.read });
  const { texts, programs } = buildOf(manifest, files);
  const compiled = compiledFiles(files.read('tsconfig.json'));
  const built = builtTargets({ raw: manifest }, files.paths);
  const likely = likelySources(built, SOURCES, files.paths);
  const topScripts = [...files.paths].filter((path) => TOP_SCRIPT.test(path));
  const named = built.length === 0 ? [] : topScripts.filter((path) => compiled.test(path) || isNamed(path, texts));
  const reached = filesFrom([...likely, ...named], files);
  const isAnySource = built.length > 0 && (likely.length === 0 || reached === undefined);
  const isSource = (file: string): boolean => {
    const [top = '', ...below] = file.split('/');
    const isInSources = below.length > 0 && SOURCES.includes(top);
    if (isInSources) return true;
    if (programs.has(file)) return named.includes(file);
    if (TOP_SCRIPT.test(file)) return reached?.has(file) ?? [...named, ...likely].some((one) => TOP_SCRIPT.test(one));
    return isAnySource || reached?.has(file) === true || below.length === 0 || compiled.test(file) || texts.includes(top);
  };
  const isForDevelopment = programFolders(manifest, files, texts);
  const isListed = Array.isArray(manifest['files']);
  return (file) => {
    const [top = ''] = file.split('/');
    const isProgram = isForDevelopment.has(top) && reached?.has(file) !== true && !(isListed && isPacked(file));
    return !isProgram && (isPacked(file) || isSource(file));
  };
}

/** Programs that put what sources import into the built file, also dependencies for development. Rollup needs its plugin for that. */
const BUNDLERS =
  /\b(?:unbuild|obuild|tsup|tsdown|bunchee|microbundle|pkgroll|parcel|ncc|webpack|rspack|rolldown|esbuild\b.*\bbundle|vite build|node-?resolve)\b/i;

/** Settings that leave packages out of a bundle. Which ones is not read, so nothing is known then. */
const LEAVES_OUT = /external|skipNodeModules/i;

/** Returns whether consumers get a file only as a part of a bundle. */
export function bundledTest(manifest: Readonly<Record<string, unknown>>, files: OwnFiles): (file: string) => boolean {
  const isPacked = packedTest({ manifest, read: files.read });
  const { texts } = buildOf(manifest, files);
  const isBundling = BUNDLERS.test(texts) && !LEAVES_OUT.test(texts);
  return (file) => isBundling && !isPacked(file);
}

/**
 * Returns the top folders with a program that scripts run, unless they have sources or an entry point. Consumers run
 * scripts of the installation, and an application is what a script starts.
 */
function programFolders(manifest: Readonly<Record<string, unknown>>, { paths }: OwnFiles, texts: string): ReadonlySet<string> {
  if (manifest['private'] === true) return new Set();
  const scripts = Object.entries(scriptsOf(manifest)).filter(([name]) => !/install|start|serve/.test(name));
  const run = scripts.flatMap(([, script]) => shellCommandsIn(script).flatMap(({ text }) => RUN_FIRST.exec(text)?.[1] ?? []));
  const programs = run.map((path) => posix.normalize(path)).filter((path) => paths.has(path) || paths.has(`${path}.js`));
  const tops = programs.flatMap((path) => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : []));
  const entries = targetsOf(manifest).map((target) => posix.normalize(target));
  const isOther = (top: string): boolean =>
    !SOURCES.includes(top) && !texts.includes(top) && !entries.some((entry) => entry.startsWith(`${top}/`));
  return new Set(tops.filter(isOther));
}

/** Returns what matches the files that TypeScript compiles, unless its settings name folders: everything. */
function compiledFiles(config: string | undefined): RegExp {
  const isLimited =
    /"(?:include|files|rootDir|references)"/.test(config ?? '') && !/"include"\s*:\s*\[[^\]]*"(?:\.\/)?(?:\*\*|\.)/.test(config ?? '');
  if (config === undefined || isLimited) return /^$/;
  return /"allowJs"\s*:\s*true/.test(config) ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/;
}

/** Whether a build names a file at the top, such as `index.js`, `./index` or `*.js`, but not as a part of another path. */
function isNamed(file: string, texts: string): boolean {
  const [name, stem] = [file, file.replace(/\.[cm]?js$/, '')].map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const everything = String.raw`(?:\./)?(?:\*\*/)?\*\.(?:[cm]?js|\{[^}]*\})`;
  return new RegExp(String.raw`(?<![\w./*-])(?:(?:\./)?${name}|\./${stem}|${everything})(?![\w./-])|\s\./?(?=\s|$)`, 'm').test(texts);
}

/** Settings of compilers and bundlers at the top, and programs that build. */
const BUILD_SETTINGS =
  /^(?:tsconfig[\w.-]*\.json|\.swcrc|\.babelrc|(?:[\w-]*(?:build|rollup|rolldown|vite(?!st)|webpack|rspack|tsup|tsdown|babel)[\w.-]*|[gG](?:ulp|runt)file)\.[cm]?[jt]s)$/;
/** Fields of package.json that name the sources of a build. */
const SOURCE_FIELDS = ['source', 'targets', 'tsup'];
/** Names of scripts that do not build what is published. */
const NO_BUILD = /test|lint|format|start|serve|dev|doc|release|watch/;
/** A program at the start of a command. */
const RUN_FIRST =
  /^(?:(?:cross-env|\w+=\S*)\s+)*(?:(?:node|tsx|ts-node|babel-node|jiti|bun|zx|sh|bash|source|\.)\s+(?:-\S+\s+)*)?(?:\.\/)?([\w-][\w./-]*)/;
/** A program of the package that a script runs. */
const RUN = /\b(?:node|tsx|ts-node|babel-node|jiti|bun|zx)\s+(?:-\S+\s+)*(?:\.\/)?([\w./-]+)/g;

interface Build {
  /** What says which files the build reads. */
  readonly texts: string;
  /** Files of the package that the build runs. */
  readonly programs: ReadonlySet<string>;
}

function buildOf(manifest: Readonly<Record<string, unknown>>, { paths, read }: OwnFiles): Build {
  const scripts = Object.entries(scriptsOf(manifest)).flatMap(([name, text]) => (NO_BUILD.test(name) ? [] : [text]));
  const run = scripts.flatMap((text) => [...text.matchAll(RUN)].map(([, path = '']) => posix.normalize(path)));
  const programs = new Set(run.flatMap((path) => [path, `${path}.js`]).filter((path) => paths.has(path)));
  const settings = [...paths].filter((path) => BUILD_SETTINGS.test(path));
  const ofFiles = [...new Set([...settings, ...programs])].flatMap((path) => read(path) ?? []);
  const ofScripts = scripts.map((text) => text.replace(RUN, ''));
  const ofFields = SOURCE_FIELDS.map((field) => JSON.stringify(manifest[field] ?? ''));
  return { texts: [...ofScripts, ...ofFields, ...ofFiles].join('\n'), programs };
}
