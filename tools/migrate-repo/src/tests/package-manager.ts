import { isPlainObject } from '@tributary/model/plain-object';
import { readJson } from '@tributary/workspaces/json';

/** A program with what it is started with, such as `npm ci`. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** What a repository is installed with, as it says itself, and how its people run a script. */
export interface PackageManager {
  readonly install: CommandLine;
  /** The same without the scripts that packages run at their installation: native code does not compile on every machine. */
  readonly installWithoutScripts: CommandLine;
  /** The name of a script follows. */
  readonly run: CommandLine;
}

/** What says how a repository is installed. */
export interface ManagerSigns {
  /** The text of a file at the root of what is installed; `undefined` where it is not there. */
  readonly read: (name: string) => string | undefined;
  /** The Yarn release that `yarnPath` names, as an absolute path, if it is there. */
  readonly yarnRelease: string | undefined;
  /** The program that runs such a release: Node. */
  readonly node: string;
}

/**
 * Returns the manager that wrote the lockfile, in the version that `packageManager` names, else in one that knows the format. Managers other
 * than npm come as npm packages, through npx: corepack is not part of every Node. npm itself is the one in PATH, unless a version is named.
 */
export function managerOf(signs: ManagerSigns): PackageManager {
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

/** `"packageManager": "pnpm@8.15.9+sha512.ab"`. A manifest that cannot be read names none: whoever installs says what is wrong. */
function namedManager(manifest: string | undefined): NamedManager | undefined {
  const reading = readJson(manifest ?? '');
  const text = 'value' in reading && isPlainObject(reading.value) ? reading.value['packageManager'] : undefined;
  const [, name, version] = /^(npm|pnpm|yarn)@(\d[\w.-]*)/.exec(typeof text === 'string' ? text : '') ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function yarnOf(lock: string, named: NamedManager | undefined, { yarnRelease, node }: ManagerSigns): PackageManager {
  const [, format] = /^__metadata:\r?\n +version: (\d+)/m.exec(lock) ?? [];
  if (format === undefined) return managed(fromNpm('yarn@1.22.22', 'yarn'), ['install', '--frozen-lockfile'], ['--ignore-scripts']);
  const wanted = named?.name === 'yarn' && !named.version.startsWith('1.') ? named.version : yarnKnowing(Number(format));
  const program: CommandLine = yarnRelease === undefined ? fromNpm(`@yarnpkg/cli-dist@${wanted}`, 'yarn') : [node, yarnRelease];
  return managed(program, ['install', '--immutable'], ['--mode=skip-build']);
}

/** By the version of the format that stands in the lockfile. */
function yarnKnowing(format: number): string {
  return format >= 8 ? '4' : format >= 5 ? '3' : '2';
}

function pnpmOf(lock: string, named: NamedManager | undefined): PackageManager {
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

function managed(program: CommandLine, install: readonly string[], withoutScripts: readonly string[]): PackageManager {
  const installing: CommandLine = [...program, ...install];
  return { install: installing, installWithoutScripts: [...installing, ...withoutScripts], run: [...program, 'run'] };
}
