import { type Dirent, lstatSync, readdirSync, readlinkSync, rmSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import { asUser } from '@tributary/git/git';
import type { AbsolutePath } from '@tributary/model/paths';
import { orUnusable } from '@tributary/process/unusable-file';
import { checksumOf } from './checksum.js';

/** The files of a checkout, tracked or not, by path relative to it. `undefined`: its name cannot be read. */
export type CheckoutFiles = ReadonlyMap<string, Stats | undefined>;

export interface Checkout {
  /** The root of the working tree. */
  readonly root: AbsolutePath;
  /** The path of the project in it. */
  readonly project: string;
  readonly commit: string;
  /** Files and folders that are not read. */
  readonly except: readonly string[];
}

/** What Yarn and turborepo write beside the files of a build, and caches of well-known tools. No test is among them. */
const NOT_BUILT =
  /^(?:\.turbo|\.yarn\/(?!unplugged$)[^/]+)$|(?:^|\/)(?:\.turbo\/turbo-[^/]+\.log|node_modules\/\.(?:cache|vite)|\.next\/cache)$/;
/** What an installation, or a job before the builds, leaves in a clean checkout: links, hooks, a plan. */
const INSTALLED = /(?:^|\/)node_modules\/|^(?:\.yarn|\.husky\/_|\.tributary)\/|^\.pnp\./;

/** Reads which files are in a checkout, and when they changed. Throws `FILE_UNUSABLE`. */
export function readCheckout({ root, project, except }: Checkout): CheckoutFiles {
  const files = new Map<string, Stats | undefined>();
  const add = (folder: string): void => {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (path === '.git' || except.includes(join(root, path)) || NOT_BUILT.test(inProject(path, project))) continue;
      if (entry.isDirectory()) add(path);
      else files.set(path, lstatSync(join(root, path), { throwIfNoEntry: false }));
    }
  };
  add('');
  return files;
}

function entriesOf(folder: string): readonly Dirent[] {
  return orUnusable(folder, 'read', () => readdirSync(folder, { withFileTypes: true }));
}

function inProject(path: string, project: string): string {
  return project !== '' && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}

/** Lists the files of the commit, also those of submodules. Throws `GIT_FAILED`. */
export async function listTracked({ root }: Checkout): Promise<ReadonlySet<string>> {
  return new Set(namesIn(await asUser(root).text(['ls-files', '-z', '--recurse-submodules'])));
}

/** Returns a file of the commit that the checkout has otherwise, or not at all. Throws `GIT_FAILED`. */
export async function findChanged({ root, project, commit }: Checkout): Promise<string | undefined> {
  const own = `:(exclude)${posix.join(project, '.tributary')}`;
  return namesIn(await asUser(root).text(['diff', '--name-only', '-z', commit, '--', '.', own]))[0];
}

function namesIn(text: string): readonly string[] {
  return text.split('\0').filter((name) => name !== '');
}

/** Returns a file that neither the commit nor an installation explains. */
export function findLeft(files: CheckoutFiles, tracked: ReadonlySet<string>, { project }: Checkout): string | undefined {
  return [...files.keys()].find((path) => !tracked.has(path) && !INSTALLED.test(inProject(path, project)));
}

/** Returns a file that is no longer as it was, apart from those of the commit. */
export function findTouched(before: CheckoutFiles, after: CheckoutFiles, tracked: ReadonlySet<string>): string | undefined {
  return [...before].find(([path, was]) => !tracked.has(path) && stampOf(was) !== stampOf(after.get(path)))?.[0];
}

function stampOf(stats: Stats | undefined): string {
  return stats === undefined ? '' : `${stats.ctimeMs} ${stats.ino} ${stats.size}`;
}

/** Returns type, mode and content of a file; `undefined` if it cannot be read. */
export function contentOf({ root }: Checkout, path: string): string | undefined {
  const file = join(root, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return `link ${readlinkSync(file)}`;
  // Reading a pipe would wait for ever.
  return stats?.isFile() === true ? `${stats.mode} ${checksumOf(file)}` : undefined;
}

/** Throws `FILE_UNUSABLE`. */
export function removeFiles({ root }: Checkout, paths: Iterable<string>): void {
  for (const path of paths) orUnusable(path, 'written', () => rmSync(join(root, path), { force: true }));
}
