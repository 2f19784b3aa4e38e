import { isPlainObject } from '@tributary/model/plain-object';
import { readJson } from '@tributary/workspaces/json';

/** A program and its arguments, such as `npm ci`. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The package manager that a repository itself specifies, and how it runs scripts. */
export interface SourcePackageManager {
  readonly install: CommandLine;
  /** The same without install scripts of packages: native code does not compile on every machine. */
  readonly installWithoutScripts: CommandLine;
  /** The name of a script is appended. */
  readonly run: CommandLine;
}

/** What determines how a repository is installed. */
export interface ManagerSigns {
  /** Returns the text of a file at the root of the installation; `undefined` if it is missing. */
  readonly read: (name: string) => string | undefined;
  /** The Yarn release that `yarnPath` names, as an absolute path, if it exists. */
  readonly yarnRelease: string | undefined;
  /** The Node executable that runs such a release. */
  readonly node: string;
}

/**
 * Returns the manager that wrote the lockfile, in the version of `packageManager`, else in one that supports the
 * format. Managers other than npm are run as npm packages through npx, because not every Node includes corepack. npm
 * itself is the one in PATH, unless `packageManager` gives a version.
 */
export function managerOf(signs: ManagerSigns): SourcePackageManager {
  const named = namedManager(signs.read('package.json'));
  const [yarn, pnpm] = [signs.read('yarn.lock'), signs.read('pnpm-lock.yaml')];
  if (yarn !== undefined && named?.name !== 'npm' && named?.name !== 'pnpm') return yarnOf(yarn, named, signs);
  if (pnpm !== undefined && named?.name !== 'npm') return pnpmOf(pnpm, named);
  const isLocked = signs.read('package-lock.json') !== undefined || signs.read('npm-shrinkwrap.json') !== undefined;
  const npm: CommandLine = named?.name === 'npm' ? fromNpm(`npm@${named.version}`, 'npm') : ['npm'];
  return managed(npm, [isLocked ? 'ci' : 'install'], ['--ignore-scripts']);
}

interface NamedManager {
  readonly name: string;
  readonly version: string;
}

/** `"packageManager": "pnpm@8.15.9+sha512.ab"`. An unreadable manifest names none; the installation then reports the error. */
function namedManager(manifest: string | undefined): NamedManager | undefined {
  const reading = readJson(manifest ?? '');
  const text = 'value' in reading && isPlainObject(reading.value) ? reading.value['packageManager'] : undefined;
  const [, name, version] = /^(npm|pnpm|yarn)@(\d[\w.-]*)/.exec(typeof text === 'string' ? text : '') ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function yarnOf(lock: string, named: NamedManager | undefined, { yarnRelease, node }: ManagerSigns): SourcePackageManager {
  const [, format] = /^__metadata:\r?\n +version: (\d+)/m.exec(lock) ?? [];
  if (format === undefined) return managed(fromNpm('yarn@1.22.22', 'yarn'), ['install', '--frozen-lockfile'], ['--ignore-scripts']);
  const wanted = named?.name === 'yarn' && !named.version.startsWith('1.') ? named.version : yarnKnowing(Number(format));
  const program: CommandLine = yarnRelease === undefined ? fromNpm(`@yarnpkg/cli-dist@${wanted}`, 'yarn') : [node, yarnRelease];
  return managed(program, ['install', '--immutable'], ['--mode=skip-build']);
}

/** Returns the major version of Yarn for the lockfile's format version. */
function yarnKnowing(format: number): string {
  return format >= 8 ? '4' : format >= 5 ? '3' : '2';
}

function pnpmOf(lock: string, named: NamedManager | undefined): SourcePackageManager {
  const [, format] = /^lockfileVersion: '?(\d+(?:\.\d+)?)/m.exec(lock) ?? [];
  const version = named?.name === 'pnpm' ? named.version : pnpmKnowing(Number(format));
  return managed(fromNpm(`pnpm@${version}`, 'pnpm'), ['install', '--frozen-lockfile'], ['--ignore-scripts']);
}

function pnpmKnowing(format: number): string {
  return format >= 9 ? '9' : format >= 6 ? '8' : format >= 5.4 ? '7' : '6';
}

function fromNpm(wanted: string, program: string): CommandLine {
  return ['npx', '--yes', `--package=${wanted}`, '--', program];
}

function managed(program: CommandLine, install: readonly string[], withoutScripts: readonly string[]): SourcePackageManager {
  const installing: CommandLine = [...program, ...install];
  return { install: installing, installWithoutScripts: [...installing, ...withoutScripts], run: [...program, 'run'] };
}
