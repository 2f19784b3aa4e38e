import { nameOf } from '@tributary/lockfile/descriptors';
import { descriptorsOf, peersOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { builtinPeers } from './builtin-extensions.js';
import type { LockGraph } from './graph.js';
import type { PackageExtensions } from './package-extensions.js';
import { builtinSource } from './references.js';

/** The graph of a lockfile by the names of packages, for the question where Yarn's linker `node-modules` puts them. */
export class LockNames {
  readonly graph: LockGraph;
  readonly records: readonly LockRecord[];
  /** By resolution. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether the root asks for peers: Yarn puts no package of such a name into its folder. */
  readonly hasRootPeers: boolean;
  private readonly byName = new Map<string, number[]>();
  private readonly asks = new Map<string, ReadonlySet<string>>();
  /** The same, with the other names of an alias. */
  private readonly down = new Map<string, Set<string>>();
  private readonly up = new Map<string, Set<string>>();
  private fixed: ReadonlySet<string> = new Set();

  constructor(graph: LockGraph, { extensions }: { readonly extensions: PackageExtensions }) {
    this.graph = graph;
    this.records = graph.index.records;
    this.places = new Map(this.records.map(({ resolution }, place) => [resolution, place]));
    this.hasRootPeers = this.records.some((record) => record.workspace === '' && peersOf(record).length > 0);
    const peers = [...this.records.keys()].map((place) => this.peersOf(place, extensions));
    for (const place of this.records.keys()) this.link(place, peers[place] ?? []);
    this.fix(peers);
  }

  /** The names under which an entry is installed, and its own: they differ for an alias. */
  namesOf(place: number): ReadonlySet<string> {
    const record = this.records[place];
    return new Set(record === undefined ? [] : [nameOf(record.resolution), ...descriptorsOf(record).map(nameOf)]);
  }

  /** Tells whether a package can only be in the `node_modules` of the root, or is not installed. */
  isFixed(name: string): boolean {
    return this.fixed.has(name) || !this.byName.has(name);
  }

  /** The names that entries of this name ask for. */
  below(name: string): ReadonlySet<string> {
    return this.down.get(name) ?? NONE;
  }

  /** The names of the packages that ask for this name. */
  above(name: string): ReadonlySet<string> {
    return this.up.get(name) ?? NONE;
  }

  /** The dependencies of a workspace are not below its name: for others it is a link. */
  private link(place: number, peers: readonly string[]): void {
    const { graph } = this;
    const names = this.namesOf(place);
    const { resolution = '', workspace } = this.records[place] ?? {};
    const targets = [...graph.targetsOf(place)].map((number) => nameOf(graph.index.descriptors[number] ?? ''));
    // A patch leads to its source.
    const asked = resolution.includes('@patch:') ? targets.filter((name) => !names.has(name)) : targets;
    for (const name of names) {
      this.byName.set(name, [...(this.byName.get(name) ?? []), place]);
      const asks = new Set(workspace === undefined ? [...asked, ...peers] : []);
      this.asks.set(name, new Set([...(this.asks.get(name) ?? []), ...asks]));
      for (const next of new Set([...asks, ...names].filter((one) => one !== name || asks.has(one)))) {
        this.down.set(name, (this.down.get(name) ?? new Set()).add(next));
        this.up.set(next, (this.up.get(next) ?? new Set()).add(name));
      }
    }
  }

  /** Returns the peers of an entry, with those that Yarn adds. */
  private peersOf(place: number, extensions: PackageExtensions): readonly string[] {
    const record = this.records[place];
    if (record === undefined) return [];
    const own = nameOf(record.resolution);
    const added = extensions.flatMap(({ name, peers }) => (name === own ? peers : []));
    const peers = [...peersOf(record).map(([name]) => name), ...added, ...(builtinPeers().get(own) ?? [])];
    return [...peers, ...peers.map((name) => `@types/${name.replace(/^@/, '').replace('/', '__')}`)];
  }

  /**
   * Finds the packages of which there is one version, so that none of the same name is in its way, and whose peers are such packages, too:
   * otherwise it has to stay with its peers. Yarn does not follow a cycle twice, so what is below a cycle with a package that is not fixed may
   * have a copy there.
   */
  private fix(peers: readonly (readonly string[])[]): void {
    let open = new Set([...this.byName.keys()].filter((name) => this.isAlone(name)));
    for (let count = -1; count !== open.size; ) {
      count = open.size;
      this.fixed = this.withFixedPeers(open, peers);
      const loose = [...this.byName.keys()].filter((name) => !this.fixed.has(name));
      const copied = new Set(loose.flatMap((name) => this.belowCycle(name, new Set(loose))));
      open = new Set([...this.fixed].filter((name) => !copied.has(name)));
    }
  }

  private withFixedPeers(names: ReadonlySet<string>, peers: readonly (readonly string[])[]): ReadonlySet<string> {
    const fixed = new Set<string>();
    const areFixed = (place: number): boolean => peers[place]?.every((peer) => fixed.has(peer) || !this.byName.has(peer)) === true;
    for (let count = -1; count !== fixed.size; ) {
      count = fixed.size;
      for (const name of names) if (!fixed.has(name) && this.byName.get(name)?.every(areFixed) === true) fixed.add(name);
    }
    return fixed;
  }

  /** Returns everything below a name that leads to itself through some names; otherwise nothing. */
  private belowCycle(name: string, through: ReadonlySet<string>): readonly string[] {
    const askedBy = (one: string): ReadonlySet<string> => this.asks.get(one) ?? NONE;
    const cycle = new Set([...askedBy(name)].filter((next) => through.has(next)));
    for (const one of cycle) for (const next of askedBy(one)) if (through.has(next)) cycle.add(next);
    if (!cycle.has(name)) return [];
    const found = new Set(askedBy(name));
    for (const one of found) for (const next of askedBy(one)) found.add(next);
    return [...found];
  }

  private isAlone(name: string): boolean {
    const places = this.byName.get(name) ?? [];
    const records = places.flatMap((place) => this.records[place] ?? []);
    // Yarn installs a package that it patches itself only with the patch.
    const sources = new Set(records.map(({ resolution }) => builtinSource(resolution)));
    const installed = records.filter(({ resolution }) => !sources.has(resolution));
    return installed.length === 1 && places.every((place) => this.isHard(place) && this.namesOf(place).size === 1);
  }

  /** Tells whether an entry is a package that is copied into `node_modules`. */
  private isHard(place: number): boolean {
    return /\n {2}linkType: hard(?:\n|$)/.test(this.records[place]?.block ?? '');
  }
}

const NONE: ReadonlySet<string> = new Set();
