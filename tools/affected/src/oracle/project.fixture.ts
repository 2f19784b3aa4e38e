import { posix } from 'node:path';
import { parseResolution, parseSyml, type Resolution } from '@yarnpkg/parsers';
import picomatch from 'picomatch';
import { type Entry, type Lock, readLock } from './lock.fixture.js';
import { asObject, type Json, listIn, type OracleSide, readJson, textsIn } from './side.fixture.js';

/** A workspace of one side. */
export interface OracleMember {
  readonly name: string;
  /** `.` for the root. */
  readonly path: string;
  readonly manifest: Json;
}

/** The target of a dependency. */
export type OracleTarget = { readonly member: OracleMember } | { readonly entry: Entry };

/** An entry of `resolutions` in the root manifest: `name`, `name@range`, `parent/name` or `parent@version/name`, and its value. */
interface Override extends Resolution {
  readonly value: string;
}

/** The monorepo of one side. */
export interface OracleProject {
  readonly side: OracleSide;
  /** The root first. */
  readonly members: readonly OracleMember[];
  readonly root: OracleMember;
  /** `.yarnrc.yml`; empty if it is missing or cannot be read. */
  readonly settings: Json;
  readonly lock: Lock | 'missing' | 'broken';
  readonly resolutions: readonly Override[];
  /** The targets of packages' dependencies that are known so far. */
  readonly targets: Map<Entry, readonly OracleTarget[]>;
}

/** Returns the monorepo of a side; `undefined` if its root has no readable manifest. `locks` caches parsed lockfiles by their text. */
export function readProject(side: OracleSide, locks = new Map<string, Lock | 'broken'>()): OracleProject | undefined {
  const manifest = readJson(side.text('package.json'));
  if (manifest === undefined) return undefined;
  const root = { name: nameOf(manifest, '.'), path: '.', manifest };
  const lockText = side.text('yarn.lock');
  if (lockText !== undefined && !locks.has(lockText)) locks.set(lockText, readLock(lockText));
  return {
    side,
    root,
    members: findMembers(side, root),
    settings: readSettings(side.text('.yarnrc.yml')),
    targets: new Map(),
    resolutions: textsIn(manifest['resolutions']).flatMap(([pattern, value]) => readOverride(pattern, value)),
    lock: lockText === undefined ? 'missing' : (locks.get(lockText) ?? 'broken'),
  };
}

/** Finds workspaces as Yarn does: by the patterns of the root, then by those of each found workspace. */
function findMembers(side: OracleSide, root: OracleMember): OracleMember[] {
  const folders = [...side.files.keys()].filter((path) => path.endsWith('/package.json')).map((path) => posix.dirname(path));
  const found = new Map<string, OracleMember>([['.', root]]);
  for (const member of found.values()) {
    for (const folder of folders) {
      if (found.has(folder) || !isWorkspaceOf(member, folder)) continue;
      const manifest = readJson(side.text(`${folder}/package.json`));
      if (manifest !== undefined) found.set(folder, { name: nameOf(manifest, folder), path: folder, manifest });
    }
  }
  return [...found.values()];
}

function isWorkspaceOf({ path, manifest }: OracleMember, folder: string): boolean {
  const field = manifest['workspaces'];
  const patterns = listIn(asObject(field)?.['packages'] ?? field).map((pattern) => pattern.replace(/^\.\//, '').replace(/\/+$/, ''));
  if (patterns.length === 0 || /(^|\/)(node_modules|\.git|\.yarn)(\/|$)/.test(folder)) return false;
  const inside = posix.relative(path, folder);
  if (inside.startsWith('..')) return false;
  const no = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const yes = patterns.filter((pattern) => !pattern.startsWith('!'));
  return yes.some((pattern) => picomatch.isMatch(inside, pattern)) && !no.some((pattern) => picomatch.isMatch(inside, pattern));
}

function nameOf(manifest: Json, path: string): string {
  return typeof manifest['name'] === 'string' ? manifest['name'] : `(no name) ${path}`;
}

function readOverride(pattern: string, value: string): Override[] {
  try {
    return [{ ...parseResolution(pattern.replace(/^\*\*\//, '')), value }];
  } catch {
    return [];
  }
}

function readSettings(text: string | undefined): Json {
  try {
    return asObject(parseSyml(text ?? '')) ?? {};
  } catch {
    return {};
  }
}

/** Returns the workspace with the deepest folder that holds a path; never the root. */
export function ownerOf({ members }: OracleProject, path: string): OracleMember | undefined {
  let owner: OracleMember | undefined;
  for (const member of members) {
    const holds = member.path !== '.' && (path === member.path || path.startsWith(`${member.path}/`));
    if (holds && member.path.length > (owner?.path.length ?? 0)) owner = member;
  }
  return owner;
}

/** Returns the path of the manifest of a workspace. */
export function manifestPath({ path }: OracleMember): string {
  return path === '.' ? 'package.json' : `${path}/package.json`;
}
