import type { CommitId } from '@tributary/model/ids';
import type { Layout, LineCommit, MainLineStep, PackageAtCommit } from './layout.js';
import type { Walked } from './layout-walk.js';
import type { Covering } from './members.js';
import type { UnreadableContent } from './unreadable.js';

/** A walk as JSON. What many commits share is there once, and elsewhere its index. */
export interface KeptWalk {
  readonly names: readonly string[];
  readonly needs: readonly (readonly string[])[];
  readonly publishes: readonly NonNullable<PackageAtCommit['publishes']>[];
  readonly members: readonly KeptMember[];
  /** The packages of each layout, in its order. */
  readonly layouts: readonly (readonly number[])[];
  readonly steps: readonly KeptStep[];
  readonly unreadable: readonly UnreadableContent[];
  readonly lists: Pairs<Walked['lists']>;
  readonly covering: readonly Covering[];
  readonly versions: Pairs<Walked['versions']>;
}

type KeptMember = readonly [
  name: number,
  path: PackageAtCommit['path'],
  version: string | null,
  isPrivate: boolean,
  needs: number,
  publishes: number | null,
];

type KeptStep = readonly [
  commit: readonly [
    id: CommitId,
    parents: readonly CommitId[],
    at: LineCommit['at'],
    actor: LineCommit['actor'],
    subject: string,
    manifests: Pairs<LineCommit['manifests']>,
    lockfiles: Pairs<LineCommit['lockfiles']>,
  ],
  touched: readonly number[],
  unpublished: readonly number[],
  bumps: Pairs<MainLineStep['bumps']>,
  appeared: readonly number[],
  isOnlyVersions: boolean,
  layout: number,
];

/** The entries of a map, with `null` for `undefined`. */
type Pairs<M> = M extends ReadonlyMap<infer Key, infer Value> ? readonly (readonly [Key, Exclude<Value, undefined> | null])[] : never;

export function keptWalkOf({ steps, unreadable, lists, covering, versions }: Walked): KeptWalk {
  const [names, needs, publishes] = [
    new Table<string>(),
    new Table<readonly string[]>(),
    new Table<NonNullable<PackageAtCommit['publishes']>>(),
  ];
  const members = new Table<KeptMember>();
  const layouts = new Table<readonly number[]>();
  const known = new Map<object, number>();
  const once = <T extends object>(value: T, add: (value: T) => number): number => {
    const at = known.get(value) ?? add(value);
    known.set(value, at);
    return at;
  };
  const memberAt = ({ name, path, version, isPrivate, needs: own, publishes: files }: PackageAtCommit): number =>
    members.add([
      names.add(name),
      path,
      version ?? null,
      isPrivate,
      needs.add([...own]),
      files === undefined ? null : publishes.add(files),
    ]);
  const layoutAt = (layout: Layout): number => layouts.add([...layout.values()].map((member) => once(member, memberAt)));
  const namesAt = (all: ReadonlySet<string>): readonly number[] => [...all].map((name) => names.add(name));
  const kept = steps.map(({ commit, touched, unpublished, bumps, appeared, isOnlyVersions, layout }): KeptStep => {
    const { id, parents, at, actor, subject, manifests, lockfiles } = commit;
    const own = [id, parents, at, actor, subject, pairsOf(manifests), pairsOf(lockfiles)] as const;
    return [own, namesAt(touched), namesAt(unpublished), pairsOf(bumps), namesAt(appeared), isOnlyVersions, once(layout, layoutAt)];
  });
  return {
    names: names.rows,
    needs: needs.rows,
    publishes: publishes.rows,
    members: members.rows,
    layouts: layouts.rows,
    steps: kept,
    unreadable,
    lists: pairsOf(lists),
    covering,
    versions: pairsOf(versions),
  };
}

export function walkedFrom({ names, needs, publishes, members, layouts, steps, unreadable, lists, covering, versions }: KeptWalk): Walked {
  const neededSets = needs.map((own) => new Set(own));
  const all = members.map(([name, path, version, isPrivate, needed, files]): PackageAtCommit => {
    const [own, published] = [neededSets[needed] ?? new Set<string>(), files === null ? undefined : publishes[files]];
    return { name: names[name] ?? '', path, version: version ?? undefined, isPrivate, needs: own, publishes: published };
  });
  const allLayouts = layouts.map((at): Layout => new Map(membersIn(all, at).map((member) => [member.path, member])));
  const namesIn = (at: readonly number[]): ReadonlySet<string> => new Set(membersIn(names, at));
  return {
    steps: steps.map(([commit, touched, unpublished, bumps, appeared, isOnlyVersions, layout]): MainLineStep => {
      const [id, parents, at, actor, subject, manifests, lockfiles] = commit;
      return {
        commit: { id, parents, at, actor, subject, manifests: mapOf(manifests), lockfiles: mapOf(lockfiles) },
        touched: namesIn(touched),
        unpublished: namesIn(unpublished),
        bumps: new Map(bumps as readonly (readonly [string, string])[]),
        appeared: namesIn(appeared),
        isOnlyVersions,
        layout: allLayouts[layout] ?? new Map(),
      };
    }),
    unreadable,
    lists: mapOf(lists),
    covering,
    versions: mapOf(versions),
  };
}

function membersIn<T>(all: readonly T[], at: readonly number[]): readonly T[] {
  return at.flatMap((one) => all[one] ?? []);
}

function pairsOf<Key, Value>(map: ReadonlyMap<Key, Value>): readonly (readonly [Key, Exclude<Value, undefined> | null])[] {
  return [...map].map(([key, value]) => [key, (value ?? null) as Exclude<Value, undefined> | null]);
}

function mapOf<Key, Value>(pairs: readonly (readonly [Key, Value | null])[]): Map<Key, Value | undefined> {
  return new Map(pairs.map(([key, value]) => [key, value ?? undefined]));
}

/** Values without repetition. */
class Table<T> {
  readonly rows: T[] = [];
  private readonly at = new Map<string, number>();

  /** Returns the index of a value. */
  add(value: T): number {
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    const known = this.at.get(key);
    if (known !== undefined) return known;
    this.at.set(key, this.rows.length);
    return this.rows.push(value) - 1;
  }
}
