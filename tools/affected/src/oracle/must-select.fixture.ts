import { closureOf, type Edge, edgesOf, hasTwoRanges, spread } from './graph.fixture.js';
import { type OracleMember, type OracleProject, ownerOf } from './project.fixture.js';
import { promisesOf } from './promises.fixture.js';
import { isEntry, isForTests, kindOf, manifestReaches } from './reach.fixture.js';
import { importEdges, type Read, touchedBy } from './reads.fixture.js';
import { type OracleSettings, readRules } from './rules.fixture.js';
import { changedPaths, textsIn } from './side.fixture.js';

/** The workspaces that every correct answer contains. */
export interface Must {
  /** By graph and lockfile alone: the name of a workspace of the head → why. */
  readonly graph: ReadonlyMap<string, string>;
  /** The same with the guides' promises for files outside of workspaces. */
  readonly selected: ReadonlyMap<string, string>;
  /** Why the guides promise that everything is selected; `undefined` if they do not. */
  readonly all: string | undefined;
}

interface Question {
  readonly before: OracleProject;
  readonly after: OracleProject;
  /** The changed files of a list; by default those that differ. */
  readonly listed?: ReadonlySet<string> | undefined;
  /** Returns what the files of a side read. */
  readonly readsOf?: (project: OracleProject) => readonly Read[];
  /** Whether tests, documents and versions reach no dependents by themselves: not so for tasks of an unknown kind. */
  readonly isNarrowed?: boolean;
}

/** The workspaces where a change starts. */
interface Starts {
  /** Selected with all dependents: name → why. */
  readonly passing: Map<string, string>;
  /** Selected without dependents. */
  readonly ending: Map<string, string>;
}

/** Returns what must be selected. The code is simple and slow, and claims only what is certain. */
export function mustSelect({ before, after, listed, readsOf = () => [], isNarrowed = true }: Question): Must {
  const changed = listed ?? changedPaths(before.side, after.side);
  const settings = readRules(before.side);
  const [old, now] = [edgesOf(before, changed), edgesOf(after, changed)];
  const edges = [...old, ...now, ...[settings, readRules(after.side)].flatMap(writtenEdges)];
  const moved = listed === undefined ? [...after.side.files.keys()].filter((path) => hasNewOwner(before, after, path)) : [];
  const sides = [before, after].map((project) => ({ project, reads: readsOf(project) }));
  const told = listed === undefined ? before : withoutUntold(before, after, listed);
  const reaches = (path: string): boolean => !isNarrowed || reachesDependents(told, after, settings, path);
  const own = ownersOf(told, after, new Set([...changed, ...moved]), settings, reaches);
  const packages = resolvedDifferently(before, after, changed, isNarrowed ? sides : undefined);
  const starts = merge(own.passing, packages.passing, rewired([before, after], [old, now], listed));
  const ending = merge(own.ending, packages.ending);
  const touched = sides.map((side) => ({ ...side, touched: touchedBy(side.project, withoutRule(changed, settings), side.reads) }));
  const promises = promisesOf({ before, after, changed, settings, reaches, touched: touched.flatMap((side) => [...side.touched.keys()]) });
  const readers = readersOf(touched);
  const imports = sides.flatMap(({ project, reads }) => importEdges(project, reads));
  const selected = spread(merge(starts, promises.starts, readers.passing), [...edges, ...imports]);
  const names = new Set(after.members.map(({ name }) => name));
  const atHead = (reached: ReadonlyMap<string, string>): Map<string, string> => new Map([...reached].filter(([name]) => names.has(name)));
  return {
    graph: atHead(merge(spread(starts, edges), ending)),
    selected: atHead(merge(selected, ending, promises.ending, readers.ending)),
    all: promises.all,
  };
}

/** Leaves out the workspaces that are gone, and whose manifest is not in the list: the list is trusted. */
function withoutUntold(before: OracleProject, after: OracleProject, listed: ReadonlySet<string>): OracleProject {
  const isTold = ({ path }: OracleMember): boolean =>
    after.members.some((member) => member.path === path) || listed.has(`${path}/package.json`);
  return { ...before, members: before.members.filter(isTold) };
}

function writtenEdges({ edges }: OracleSettings): Edge[] {
  return edges.flatMap(({ from, workspaces }) => workspaces.map((to) => ({ from, to })));
}

/** Returns whether an unmoved file has a new owner, because a nested workspace was dissolved, or is new. */
function hasNewOwner(before: OracleProject, after: OracleProject, path: string): boolean {
  return before.side.files.has(path) && ownerOf(before, path)?.path !== ownerOf(after, path)?.path;
}

function withoutRule(changed: ReadonlySet<string>, settings: OracleSettings): string[] {
  return [...changed].filter((path) => settings.ruleFor(path) === undefined);
}

/** Returns whether a changed file of a workspace certainly reaches its dependents, even if no file is known to read it. */
function reachesDependents(before: OracleProject, after: OracleProject, { reach }: OracleSettings, path: string): boolean {
  const [old, now] = [ownerOf(before, path), ownerOf(after, path)];
  if (now === undefined || old?.path !== now.path) return true;
  const kind = kindOf(path, now);
  if (kind === 'source') return true;
  if (kind === 'manifest') return reach['versions'] === 'dependents' || manifestReaches(before, after, now.path);
  return reach[kind] === 'dependents' || [old, now].some((member) => isEntry(member, path));
}

/** Returns the workspaces with changed files, or with files that get another owner. */
function ownersOf(
  before: OracleProject,
  after: OracleProject,
  changed: ReadonlySet<string>,
  settings: OracleSettings,
  reaches: (path: string) => boolean,
): Starts {
  const passing = new Map<string, string>();
  const ending = new Map<string, string>();
  for (const path of changed) {
    const rule = settings.ruleFor(path);
    for (const project of [before, after]) {
      const owner = project.side.files.has(path) ? ownerOf(project, path) : undefined;
      if (owner === undefined || rule === 'none') continue;
      (rule === 'owner' || !reaches(path) ? ending : passing).set(owner.name, `${path} changed, or its owner did`);
    }
  }
  return { passing, ending };
}

/** Returns the workspaces with files that read a changed file, directly or through others. What only tests read ends there. */
function readersOf(sides: readonly { readonly project: OracleProject; readonly touched: ReadonlyMap<string, string> }[]): Starts {
  const passing = new Map<string, string>();
  const ending = new Map<string, string>();
  for (const { project, touched } of sides) {
    for (const [path, why] of touched) {
      const owner = ownerOf(project, path);
      if (owner === undefined || why === `${path} changed`) continue;
      // What turborepo hashes for tests, they read.
      const isSource = (kindOf(path, owner) === 'source' && !path.endsWith('/turbo.json')) || isEntry(owner, path);
      (isSource ? passing : ending).set(owner.name, why);
    }
  }
  return { passing, ending };
}

/** Returns the workspaces that depend on another one on one side only. A list that has the manifests of neither is trusted. */
function rewired(
  sides: readonly [OracleProject, OracleProject],
  [old, now]: readonly [readonly Edge[], readonly Edge[]],
  listed: ReadonlySet<string> | undefined,
): Map<string, string> {
  const [earlier, later] = [old, now].map((edges) => new Set(edges.map(({ from, to }) => `${from} ${to}`)));
  const known = new Set(sides[0].members.map(({ name }) => name));
  const told = sides.flatMap(({ members }) =>
    members.filter(({ path }) => listed?.has(path === '' ? 'package.json' : `${path}/package.json`)),
  );
  const isKnown = ({ from, to }: Edge): boolean =>
    !sides.some(({ members }) => members.some((member) => member.name === from && hasTwoRanges(member, to)));
  const isTold = (edge: Edge): boolean => listed === undefined || told.some(({ name }) => name === edge.from || name === edge.to);
  const differing = [...old, ...now].filter(
    (edge) => earlier?.has(`${edge.from} ${edge.to}`) !== later?.has(`${edge.from} ${edge.to}`) && isTold(edge) && isKnown(edge),
  );
  return new Map(differing.filter(({ from }) => known.has(from)).map(({ from, to }) => [from, `another thing is ${to} for it`]));
}

/** Returns the workspaces of both sides whose packages differ. `sides`: those where packages for tests reach no dependents. */
function resolvedDifferently(
  before: OracleProject,
  after: OracleProject,
  changed: ReadonlySet<string>,
  sides: readonly { readonly project: OracleProject; readonly reads: readonly Read[] }[] | undefined,
): Starts {
  const differing: Starts = { passing: new Map(), ending: new Map() };
  if (!['yarn.lock', '.yarnrc.yml', 'package.json'].some((path) => changed.has(path))) return differing;
  if (typeof before.lock === 'string' || typeof after.lock === 'string' || before.lock.kind !== after.lock.kind) return differing;
  const isFree = readRules(before.side).reach['testDependencies'] !== 'dependents';
  for (const member of after.members) {
    const earlier = before.members.find(({ name, path }) => name === member.name && path === member.path);
    if (earlier === undefined || firstDifference(before, earlier, after, { member }, changed) === undefined) continue;
    for (const name of new Set([earlier, member].flatMap(dependenciesIn))) {
      const difference = firstDifference(before, earlier, after, { member, name }, changed);
      if (difference === undefined) continue;
      const isImported = sides?.some(({ project, reads }) => reads.some((read) => isSourceOf(project, member, read, name)));
      const ends = sides !== undefined && isFree && isImported === false && [earlier, member].every((one) => isForTests(one, name));
      (ends ? differing.ending : differing.passing).set(member.name, `${difference} resolves differently`);
    }
  }
  return differing;
}

function dependenciesIn({ manifest }: OracleMember): string[] {
  return ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((field) => textsIn(manifest[field]).map(([name]) => name));
}

function isSourceOf(project: OracleProject, { path }: OracleMember, read: Read, name: string): boolean {
  if (read.path !== `node_modules/${name}`) return false;
  const owner = ownerOf(project, read.file);
  return owner?.path === path && kindOf(read.file, owner) === 'source';
}

function firstDifference(
  before: OracleProject,
  earlier: OracleMember,
  after: OracleProject,
  { member, name }: { readonly member: OracleMember; readonly name?: string },
  changed: ReadonlySet<string>,
): string | undefined {
  const old = closureOf(before, earlier, changed, name).packages;
  const now = closureOf(after, member, changed, name).packages;
  return [...new Set([...old.keys(), ...now.keys()])].find((resolution) => old.get(resolution) !== now.get(resolution));
}

function merge(...maps: readonly Iterable<readonly [string, string]>[]): Map<string, string> {
  return new Map(maps.flatMap((map) => [...map]).toReversed());
}
