import { readFileSync } from 'node:fs';
import type { LockfileText } from '@tributary/lockfile/lockfile';
import { parseAbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { readOldLock } from '../align/lock/old-lock.js';
import { type LockedRequestOutcome, requestOutcomes } from '../align/lock/request-outcomes.js';
import { type Seed, seedLock } from '../align/lock/seed.js';
import { type Conversion, convertLocks } from './convert-lock.js';
import { type Installation, installMonorepo } from './install.js';
import type { YarnFixture } from './yarn.fixture.js';
import { runYarn } from './yarn.js';

export interface ArrivingPackage {
  /** The manifest before the alignment. Its ranges are final unless `now` has others. */
  readonly manifest: object;
  readonly now?: object;
  readonly lock: LockfileText;
}

export interface Seeded {
  readonly before: string;
  readonly conversion: Conversion;
  readonly seed: Seed;
  readonly installation: Installation;
  readonly outcomes: readonly LockedRequestOutcome[];
}

/** Locks the monorepo as it is, if its yarn.lock is empty, then lets imported packages come to packages/<name> and installs it with what they had locked. */
export async function arrive(cleanUp: CleanUp, fixture: YarnFixture, arrivals: readonly ArrivingPackage[]): Promise<Seeded> {
  const { folder, context } = fixture;
  const before = await lockOf(fixture);
  const folders = new Map<string, Manifest>([['', read(readFileSync(folder.join('package.json'), 'utf8'))]]);
  const importedPackages = arrivals.map(({ manifest, now, lock }) => {
    const [old, final] = [read(JSON.stringify(manifest)), read(JSON.stringify(now ?? manifest))];
    const oldLock = readOldLock([lock], old);
    if (oldLock === undefined || final.name === undefined) throw new Error('no lockfile, or no name');
    folder.write(`packages/${final.name}/package.json`, JSON.stringify(final.raw));
    folders.set(`packages/${final.name}`, final);
    return { name: final.name, before: old, manifest: final, oldLock };
  });
  const workspaces = discover(folders);
  const scratch = cleanUp.add(new TempFolder());
  const conversion = await convertLocks(context, {
    folder: parseAbsolutePath(scratch.path),
    importedPackages,
    rootLock: before,
    workspaces,
  });
  const seed = seedLock({ rootLock: before, converted: conversion.lock, workspaces });
  folder.write('yarn.lock', seed.text);
  const installation = await installMonorepo(context, { folder: folder.path, before, askers: [] });
  const names = new Set<string>(importedPackages.map(({ name }) => name));
  const arrived = workspaces.filter(({ name }) => names.has(name));
  const outcomes = requestOutcomes({
    ...conversion,
    before,
    after: installation.lock,
    workspaces,
    importedPackages: arrived,
    got: () => undefined,
  });
  return { before, conversion, seed, installation, outcomes };
}

async function lockOf({ folder, context }: YarnFixture): Promise<string> {
  const read = (): string => readFileSync(folder.join('yarn.lock'), 'utf8');
  if (read() !== '') return read();
  const locked = await runYarn(context, ['install', '--mode=update-lockfile'], folder.path);
  if (!locked.succeeded) throw new Error(JSON.stringify(locked.messages));
  return read();
}

function read(text: string): Manifest {
  return parseManifest(text, 'package.json');
}

function discover(folders: ReadonlyMap<string, Manifest>): readonly Workspace[] {
  const source = { folders: [...folders.keys()] as never[], readManifest: (folder: string) => JSON.stringify(folders.get(folder)?.raw) };
  return discoverWorkspaces(source);
}
