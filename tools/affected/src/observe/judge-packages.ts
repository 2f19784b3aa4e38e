import type { RepoFolder } from '@tributary/model/paths';
import type { ChangedPackages } from '@tributary/workspaces/lock/changed-packages';
import type { Observation } from './observation.js';
import { PACKAGE_FOLDER } from './sort-uses.js';

/** Which packages changed; `unknown`: why that is unknown, as a clause. */
export type PackagesSince = { readonly packages: ChangedPackages } | { readonly unknown: string };

/** Describes the first package, or folder of packages, that a piece used and that has changed. `folder`: that of its workspace. */
export function findTouchedPackage(observation: Observation, changed: ChangedPackages, folder: string): string | undefined {
  const { packages, listed, absent, found, apart } = observation;
  const used = packages.find(({ name }) => changed.names.has(name));
  if (used !== undefined) return used.version === null ? `it looked for the package ${used.name}` : `it used the package ${used.name}`;
  const built = packages.find(({ name, builds }) => builds === true && changed.leading.has(name));
  if (built !== undefined) return `it used the package ${built.name}, whose script for the installation may use what changed`;
  // The shell of `yarn run` lists folders for the patterns in a script.
  const list = [...listed.map(({ path }) => path), ...apart.toolLists].find((path) => isListTouched(path, changed));
  if (list !== undefined) return `it read the list of ${list}`;
  const missing = absent.find((path) => isMissingTouched(path, changed));
  if (missing !== undefined) return `it read that there was no ${missing}`;
  const scope = found.find((path) => isScopeTouched(path, packages, changed));
  if (scope !== undefined) return `it read that there was ${scope}`;
  const declared = workspacesRead(observation, folder).flatMap((one) => withBinary(one, changed));
  return declared[0] === undefined ? undefined : `its scripts may use a binary of ${declared[0]}`;
}

/** Returns the dependencies of a workspace that changed, and have binaries. */
function withBinary(folder: RepoFolder, { binaries, direct }: ChangedPackages): readonly string[] {
  const names = direct.get(folder);
  return names === undefined ? [] : [...binaries.values()].flatMap((owners) => [...owners].filter((name) => names.has(name)));
}

/**
 * Returns the workspaces whose scripts the piece may have run: its own, and those whose manifests it used. Yarn puts the binaries of their
 * dependencies before all others, and nobody looks for them.
 */
function workspacesRead({ files, found }: Observation, folder: string): readonly RepoFolder[] {
  const manifests = [...files, ...found].flatMap((path) => /^(.+)\/package\.json$/.exec(path)?.[1] ?? []);
  return [folder, ...manifests] as readonly RepoFolder[];
}

const FOLDER = /^(?:(.+)\/)?node_modules(?:\/(@[^/]+|\.bin))?$/;

/**
 * The root's `node_modules` may get every changed package, another one those that are not only there. For these, a package may get a folder
 * `node_modules`.
 */
function isListTouched(path: string, changed: ChangedPackages): boolean {
  const { names, nested, binaries } = changed;
  if (PACKAGE_FOLDER.test(path)) return nested.size > 0;
  const match = FOLDER.exec(path);
  if (match === null) return false;
  const [, owner, part] = match;
  const able = owner === undefined ? names : nested;
  if (part?.startsWith('@') === true) return [...able].some((name) => name.startsWith(`${part}/`));
  const isDirect = owner !== undefined && withBinary(owner as RepoFolder, changed).length > 0;
  if (part === '.bin') return isDirect || [...binaries.values()].some((owners) => [...owners].some((name) => able.has(name)));
  return isDirect || able.size > 0;
}

/** A scope stays as long as it has a package. Those that the piece used have not changed. */
function isScopeTouched(path: string, packages: Observation['packages'], { names }: ChangedPackages): boolean {
  const [, scope] = /(?:^|\/)node_modules\/(@[^/]+)$/.exec(path) ?? [];
  if (scope === undefined || packages.some(({ name, version }) => version !== null && name.startsWith(`${scope}/`))) return false;
  return [...names].some((name) => name.startsWith(`${scope}/`));
}

function isMissingTouched(path: string, { names, binaries }: ChangedPackages): boolean {
  const [, last = ''] = /(?:^|\/)node_modules\/([.@].*)$/.exec(path) ?? [];
  const [, binary] = /^\.bin\/([^/]+)$/.exec(last) ?? [];
  if (binary !== undefined) return binaries.has(binary);
  if (last.startsWith('@')) return !last.includes('/') && [...names].some((name) => name.startsWith(`${last}/`));
  return last !== '' && names.size > 0;
}
