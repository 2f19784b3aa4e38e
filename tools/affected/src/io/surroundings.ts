import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asUser, type Git } from '@tributary/git/git';
import { isPlainObject } from '@tributary/model/plain-object';
import { listFolders } from '../observe/listing.js';
import type { UsedPackage } from '../observe/observation.js';
import { systemPath, tracePath } from '../observe/paths.js';
import type { Surroundings } from '../observe/sort-uses.js';
import type { RepoLocation } from './locate.js';
import { INSTALLS } from './named-files.js';
import { listCommit, nameOf } from './reading.js';
import { parseTracked } from './tracked-files.js';

/** Reads what a commit tracks, and examines the checkout only on request. `root` is a path without links. Throws `GIT_FAILED`. */
export async function readSurroundings(
  git: Git,
  place: RepoLocation,
  at: { readonly commit: string; readonly root: string },
): Promise<Surroundings> {
  const listing = await listCommit(git, at.commit);
  const files = parseTracked(listing, place.project);
  const prefix = nameOf('', place.project, '').slice(1);
  return {
    root: tracePath(at.root),
    temporary: [...new Set(['/tmp', '/var/tmp', '/dev/shm', tmpdir()].flatMap((folder) => [folder, realOf(folder)]).map(tracePath))],
    tracked: files.map(({ path }) => path),
    listings: listFolders(files),
    submodules: [...listing.matchAll(/(?:^|\0)160000 commit \w+\t([^\0]*)/g)].flatMap(([, path = '']) =>
      path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
    ),
    own: [],
    isStrict: false,
    resolve: makeResolver(),
    packageAt: (folder) => readPackage(join(at.root, folder)),
  };
}

/**
 * Returns a file in which the checkout differs from the commit, changed or new and not ignored; `.tributary` is excluded. Writes nothing.
 */
export async function describeChanges({ workTree }: RepoLocation, signal: AbortSignal): Promise<string | undefined> {
  if (workTree === undefined) return undefined;
  const exclude = [':(top)', ':(top,exclude,glob)**/.tributary/**'];
  const { exit, stdout } = await asUser(workTree, { signal }).attempt([
    'status',
    '--porcelain',
    '--untracked-files=normal',
    '--no-renames',
    '--',
    ...exclude,
  ]);
  if (exit !== 0) return 'git status failed';
  return stdout.length === 0 ? undefined : stdout.toString('utf8').split('\n', 1)[0]?.slice(3);
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

interface Resolved {
  readonly end: string;
  readonly links: readonly string[];
}

/** The limit of Linux. */
const MOST_LINKS = 40;

/**
 * Follows links as they are after the run. A path that no longer exists is resolved by name only. Other systems than Linux find a name in any
 * case, so the real one is asked for.
 */
function makeResolver(platform: NodeJS.Platform = process.platform): Surroundings['resolve'] {
  const folders = new Map<string, Resolved>([['', { end: '', links: [] }]]);
  const resolve = (path: string, depth: number): Resolved => {
    const cut = path.lastIndexOf('/');
    const folder = path.slice(0, cut);
    const above = folders.get(folder) ?? resolve(folder, depth);
    folders.set(folder, above);
    const name = path.slice(cut + 1);
    if (name === '..') return { ...above, end: above.end.slice(0, Math.max(0, above.end.lastIndexOf('/'))) };
    const at = `${above.end}/${name}`;
    const text = depth > MOST_LINKS ? undefined : linkAt(at);
    if (text === undefined) return { end: at, links: above.links };
    const target = resolve(text.startsWith('/') ? text : `${above.end}/${text}`, depth + 1);
    return { end: target.end, links: [...above.links, at, ...target.links] };
  };
  return (path) => {
    const found = resolve(path.replace(/(?<=.)\/+$/, ''), 0);
    return platform === 'linux' ? found : { ...found, end: realCase(found.end) };
  };
}

function realCase(path: string): string {
  try {
    return tracePath(realpathSync.native(systemPath(path)));
  } catch {
    // It does not exist.
    return path;
  }
}

function linkAt(path: string): string | undefined {
  const bytes = systemPath(path);
  try {
    return lstatSync(bytes).isSymbolicLink() ? readlinkSync(bytes, 'latin1').replace(/(?<=.)\/+$/, '') : undefined;
  } catch {
    // It does not exist, or is not accessible, so nobody followed it.
    return undefined;
  }
}

function readPackage(folder: string): UsedPackage | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { name, version, scripts } = isPlainObject(manifest) ? manifest : {};
    const builds = isPlainObject(scripts) && INSTALLS.some((script) => script in scripts);
    const more = builds || existsSync(join(folder, 'binding.gyp')) ? { builds: true as const } : {};
    if (typeof name === 'string') return { name, version: typeof version === 'string' ? version : '', ...more };
  } catch {
    // The folder is not a package; it is named by its path.
  }
  return { name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length), version: '' };
}
