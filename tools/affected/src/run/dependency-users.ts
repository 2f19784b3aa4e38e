import { nameOf } from '@tributary/lockfile/descriptors';
import { binariesOf, descriptorsOf, peersOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { dependencySubject } from '../root-uses/subject.js';
import { describeUses, type RootUsers } from '../root-uses/uses.js';
import type { Snapshot } from '../snapshot.js';
import { findUsers, type SearchScene } from './find-users.js';

/**
 * Finds the users of registry packages that the root depends on. It is the root alone if nothing else names the package or its binaries,
 * and none has it as a peer dependency. Packages that TypeScript loads by itself (`@types/*`), and all of a lockfile that lists no
 * binaries, select everything. Throws `GIT_FAILED`.
 */
export async function usersOfDependencies(scene: SearchScene, sides: readonly Snapshot[], names: readonly string[]): Promise<RootUsers> {
  const records = recordsOf(sides);
  for (const name of names) {
    const evidence = everybodyByKind(name, records);
    if (evidence !== undefined) return { shared: { name, evidence }, notes: new Map() };
  }
  const binaries = (name: string): readonly string[] => entriesOf(name, records ?? []).flatMap(binariesOf);
  const users = await findUsers(
    scene,
    names.map((name) => dependencySubject(name, binaries(name))),
    ({ bearing }) => ['everybody', 'pipeline', 'command', 'workspace'].includes(bearing.kind),
  );
  const notes = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const { everybody, workspaces, root = [] } = users[at] ?? {};
    const [shared] = [everybody, ...(workspaces?.values() ?? [])].filter((use) => use !== undefined);
    if (shared !== undefined) return { shared: { name, evidence: `${shared.what} names it` }, notes };
    notes.set(name, describeUses(root));
  }
  return { shared: undefined, notes };
}

/**
 * Finds root dependencies that nothing but the root names, with the evidence. The lockfile may not list their binaries, so a person has to
 * agree. Throws `GIT_FAILED`.
 */
export async function proveDependencies(
  scene: SearchScene,
  side: Snapshot,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const records = side.lock?.kind === 'berry' ? side.lock.index.records : [];
  const open = names.filter((name) => everybodyByKind(name, records) === undefined);
  const binaries = (name: string): readonly string[] => entriesOf(name, records).flatMap(binariesOf);
  const users = await findUsers(
    scene,
    open.map((name) => dependencySubject(name, [...binaries(name), name.slice(name.indexOf('/') + 1)])),
  );
  const known = new Map<string, string>();
  for (const [at, name] of open.entries()) {
    const { everybody, workspaces, root = [] } = users[at] ?? {};
    if (everybody === undefined && workspaces?.size === 0) known.set(name, describeUses(root));
  }
  return known;
}

/** Returns the records of both sides; `undefined` if one has no lockfile, or one of Yarn 1, which lists no binaries. */
function recordsOf(sides: readonly Snapshot[]): readonly LockRecord[] | undefined {
  const records = sides.map(({ lock }) => (lock?.kind === 'berry' ? lock.index.records : undefined));
  return records.includes(undefined) ? undefined : records.flatMap((some) => some ?? []);
}

/** Returns a use that no text shows. */
function everybodyByKind(name: string, records: readonly LockRecord[] | undefined): string | undefined {
  if (name.startsWith('@types/')) return 'TypeScript loads it without an import';
  if (records === undefined) return 'the lockfile does not list its binaries';
  const peer = records.find((record) => peersOf(record).some(([asked]) => asked === name));
  return peer === undefined ? undefined : `${nameOf(descriptorsOf(peer)[0] ?? '')} has it as a peer dependency`;
}

function entriesOf(name: string, records: readonly LockRecord[]): readonly LockRecord[] {
  return records.filter((record) => descriptorsOf(record).some((descriptor) => nameOf(descriptor) === name));
}
