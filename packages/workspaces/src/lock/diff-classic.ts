import { parseClassic } from '@tributary/lockfile/classic';
import { nameOf } from '@tributary/lockfile/descriptors';
import type { LockEntry, Lockfile } from '@tributary/lockfile/lockfile';
import type { RepoFolder } from '@tributary/model/paths';
import type { Workspace } from '../discover.js';
import type { EntryChange } from './compare.js';
import type { LockChange, LockDiff } from './diff.js';
import type { PackageLink } from './links.js';

/** A yarn.lock of Yarn 1 with its manifests, because it lists neither workspaces nor their dependencies. */
export interface ClassicSide {
  readonly text: string;
  readonly workspaces: readonly Workspace[];
}

/**
 * Finds the workspaces whose transitive resolutions differ between two lockfiles of Yarn 1, as `diffLocks` does for later versions. It goes
 * from `name@range` in each manifest to the entry, and on to the entry's dependencies. A peer counts by its name, whoever provides it.
 * Never throws.
 */
export function diffClassicLocks(base: ClassicSide, head: ClassicSide): LockDiff {
  const [before, after] = [parseClassic(base.text), parseClassic(head.text)];
  if (before.kind === 'unreadable') return unreadable(before.reason);
  if (after.kind === 'unreadable') return unreadable(after.reason);
  const [old, now] = [new Descriptors(before), new Descriptors(after)];
  const loose = old.looseEnd(base.workspaces) ?? now.looseEnd(head.workspaces);
  if (loose !== undefined) return { kind: 'unknown', code: 'LOCKFILE_UNKNOWN', reason: `yarn.lock has no resolution of ${loose}` };
  const comparison = new ClassicComparison(old, now);
  const unseen = comparison.unseenFrom(head.workspaces);
  if (unseen !== undefined) {
    const reason = `yarn.lock: ${unseen.entry} changed, and it is unknown which workspaces use it`;
    return { kind: 'unknown', code: 'LOCKFILE_UNKNOWN', reason };
  }
  const wasAt = new Map(base.workspaces.map((workspace) => [workspace.path, workspace]));
  const changed = head.workspaces.flatMap((workspace): readonly (readonly [RepoFolder, readonly LockChange[]])[] => {
    const changes = comparison.changesOf(workspace, wasAt.get(workspace.path));
    return changes.length === 0 ? [] : [[workspace.path, changes]];
  });
  return { kind: 'compared', changed: new Map(changed.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function unreadable(reason: string): LockDiff {
  return { kind: 'unknown', code: 'LOCKFILE_UNREADABLE', reason: `yarn.lock cannot be read: ${reason}` };
}

/** The entries of a lockfile by descriptor, such as `left@^1.0.0`. */
class Descriptors {
  readonly entries = new Map<string, LockEntry>();
  readonly byName = new Map<string, string[]>();

  constructor({ entries }: Lockfile) {
    for (const entry of entries) {
      for (const descriptor of entry.descriptors) {
        this.entries.set(descriptor, entry);
        const name = nameOf(descriptor);
        this.byName.set(name, [...(this.byName.get(name) ?? []), descriptor]);
      }
    }
  }

  /** Returns the descriptor of a dependency. Yarn 1 writes a descriptor without a range as the name alone. */
  find(name: string, range: string): string | undefined {
    const written = [`${name}@${range}`, ...(range === '' ? [name] : [])];
    return written.find((descriptor) => this.entries.has(descriptor));
  }

  /**
   * Returns a dependency that is not locked. A package may depend on a workspace, which Yarn 1 leaves out of the lockfile. A workspace may
   * depend on other workspaces and on paths; those are not reported here.
   */
  looseEnd(workspaces: readonly Workspace[]): string | undefined {
    for (const { dependencies } of this.entries.values())
      for (const [name, range] of dependencies) if (this.find(name, range) === undefined) return `${name}@${range}`;
    const names = new Set<string>(workspaces.map(({ name }) => name));
    for (const [name, range] of workspaces.flatMap(asked))
      if (this.find(name, range) === undefined && !names.has(name) && !/^(link|file|portal):|^\.{0,2}\//.test(range))
        return `${name}@${range}`;
    return undefined;
  }

  /** Returns the descriptors to which an entry leads, if the lockfile has them. */
  targetsOf(descriptor: string): readonly string[] {
    const { dependencies } = this.entries.get(descriptor) ?? { dependencies: new Map<string, string>() };
    return [...dependencies].flatMap(([name, range]) => this.find(name, range) ?? []);
  }
}

/**
 * Finds the workspaces that depend on another one through packages. If such a package requests a range that is not locked, Yarn 1 uses the
 * workspace of that name. Ordered by `from`.
 */
export function linksThroughClassic({ text, workspaces }: ClassicSide): readonly PackageLink[] {
  const lockfile = parseClassic(text);
  if (lockfile.kind === 'unreadable') return [];
  const descriptors = new Descriptors(lockfile);
  const byName = new Map<string, Workspace>(workspaces.map((workspace) => [workspace.name, workspace]));
  const links = workspaces.flatMap((workspace) => {
    const reached = new Set(asked(workspace).flatMap(([name, range]) => descriptors.find(name, range) ?? []));
    const found = new Map<RepoFolder, PackageLink>();
    for (const descriptor of reached) {
      const entry = descriptors.entries.get(descriptor);
      for (const [name, range] of entry?.dependencies ?? []) {
        const next = descriptors.find(name, range);
        const to = next === undefined ? byName.get(name) : undefined;
        if (next !== undefined) reached.add(next);
        else if (to !== undefined && to !== workspace && !found.has(to.path))
          found.set(to.path, { from: workspace.path, to: to.path, through: [locator(entry) ?? descriptor] });
      }
    }
    return [...found.values()];
  });
  return links.sort((one, other) => (one.from < other.from ? -1 : 1));
}

class ClassicComparison {
  private readonly base: Descriptors;
  private readonly head: Descriptors;
  /** Descriptors of the head that are new or have another resolution. */
  private readonly own = new Map<string, EntryChange>();
  /** These descriptors and those that lead to them, each with the nearest change. */
  private readonly dirty: ReadonlyMap<string, EntryChange>;

  constructor(base: Descriptors, head: Descriptors) {
    this.base = base;
    this.head = head;
    const packages = new Map([...base.entries.values()].map((entry) => [locator(entry), entry]));
    for (const [descriptor, entry] of head.entries) {
      // Another range may lead to a package that existed before.
      const before = base.entries.get(descriptor) ?? packages.get(locator(entry));
      if (!isSame(before, entry)) this.own.set(descriptor, { entry: descriptor, from: locator(before), to: locator(entry) });
    }
    this.dirty = this.spread();
  }

  private spread(): ReadonlyMap<string, EntryChange> {
    const dependents = new Map<string, string[]>();
    for (const descriptor of this.head.entries.keys()) {
      for (const target of this.head.targetsOf(descriptor)) dependents.set(target, [...(dependents.get(target) ?? []), descriptor]);
    }
    const dirty = new Map(this.own);
    for (const [descriptor, change] of dirty)
      for (const dependent of dependents.get(descriptor) ?? []) if (!dirty.has(dependent)) dirty.set(dependent, change);
    return dirty;
  }

  /** Returns a changed descriptor that both sides have and no manifest reaches: its users are unknown. */
  unseenFrom(workspaces: readonly Workspace[]): EntryChange | undefined {
    const reached = new Set(
      workspaces.flatMap((workspace) => [...asked(workspace)].flatMap(([name, range]) => this.head.find(name, range) ?? [])),
    );
    for (const descriptor of reached) for (const target of this.head.targetsOf(descriptor)) reached.add(target);
    return [...this.own.values()].find(({ entry, from }) => from !== null && !reached.has(entry));
  }

  /** Returns one change for each direct dependency, in the order of their names. */
  changesOf(workspace: Workspace, before: Workspace | undefined): readonly LockChange[] {
    const changes = BLOCKS.flatMap((block) => {
      const [is, was] = [workspace.manifest[block], before?.manifest[block]];
      const names = new Set([...is.keys(), ...(was?.keys() ?? [])]);
      return [...names].flatMap((name) => this.directChange(name, was?.get(name), is.get(name)) ?? []);
    });
    const own = new Set(asked(workspace).map(([name]) => name));
    const peers = [...workspace.manifest.peerDependencies.keys()].filter((name) => !own.has(name));
    const all = [...changes, ...peers.flatMap((name) => this.changeByName(name) ?? [])];
    return [...new Map(all.map((change) => [change.dependency, change])).values()].sort((one, other) =>
      one.dependency < other.dependency ? -1 : 1,
    );
  }

  private directChange(name: string, was: string | undefined, is: string | undefined): LockChange | undefined {
    const from = was === undefined ? undefined : this.base.find(name, was);
    const to = is === undefined ? undefined : this.head.find(name, is);
    const dirty = to === undefined ? undefined : this.dirty.get(to);
    if (dirty !== undefined && was === is) return { dependency: name, ...dirty };
    const [before, after] = [this.base.entries.get(from ?? ''), this.head.entries.get(to ?? '')];
    if (before === undefined && after === undefined) return undefined;
    if (isSame(before, after)) return dirty === undefined ? undefined : { dependency: name, ...dirty };
    return { dependency: name, entry: to ?? from ?? name, from: locator(before), to: locator(after) };
  }

  private changeByName(name: string): LockChange | undefined {
    const dirty = this.head.byName.get(name)?.find((descriptor) => this.dirty.has(descriptor));
    const change = dirty === undefined ? undefined : this.dirty.get(dirty);
    if (change !== undefined) return { dependency: name, ...change };
    const gone = this.base.byName.get(name)?.find((descriptor) => !this.head.entries.has(descriptor));
    return gone === undefined ? undefined : { dependency: name, entry: gone, from: locator(this.base.entries.get(gone)), to: null };
  }
}

const BLOCKS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * Returns the direct dependencies of a workspace, block by block: Yarn 1 locks a name in two blocks for both. Peers are provided by others.
 */
function asked({ manifest }: Workspace): readonly (readonly [name: string, range: string])[] {
  return BLOCKS.flatMap((block) => [...manifest[block]]);
}

function isSame(before: LockEntry | undefined, after: LockEntry | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  const same =
    before.name === after.name &&
    before.version === after.version &&
    before.archive === after.archive &&
    before.integrity === after.integrity;
  return (
    same &&
    before.dependencies.size === after.dependencies.size &&
    [...after.dependencies].every(([name, range]) => before.dependencies.get(name) === range)
  );
}

function locator(entry: LockEntry | undefined): string | null {
  return entry === undefined ? null : `${entry.name}@${entry.version}`;
}
