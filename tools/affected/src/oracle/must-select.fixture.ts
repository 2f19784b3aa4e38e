import { closureOf, type Edge, edgesOf, spread } from './graph.fixture.js';
import { type OracleMember, type OracleProject, ownerOf } from './project.fixture.js';
import { promisesOf } from './promises.fixture.js';
import { type OracleSettings, readRules } from './rules.fixture.js';
import { changedPaths } from './side.fixture.js';

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
  readonly listed?: ReadonlySet<string>;
}

/** Returns what must be selected. The code is simple and slow, and claims only what is certain. */
export function mustSelect({ before, after, listed }: Question): Must {
  const changed = listed ?? changedPaths(before.side, after.side);
  const settings = readRules(before.side);
  const edges = [...edgesOf(before, changed), ...edgesOf(after, changed), ...[settings, readRules(after.side)].flatMap(writtenEdges)];
  const close = (starts: ReadonlyMap<string, string>): Map<string, string> => spread(starts, edges);
  const moved = listed === undefined ? [...after.side.files.keys()].filter((path) => hasNewOwner(before, after, path)) : [];
  const own = ownersOf(before, after, new Set([...changed, ...moved]), settings);
  const graph = merge(close(merge(own.passing, resolvedDifferently(before, after, changed))), own.ending);
  const promises = promisesOf({ before, after, changed, settings });
  const names = new Set(after.members.map(({ name }) => name));
  const atHead = (reached: ReadonlyMap<string, string>): Map<string, string> => new Map([...reached].filter(([name]) => names.has(name)));
  return { graph: atHead(graph), selected: atHead(merge(graph, close(promises.starts), promises.ending)), all: promises.all };
}

function writtenEdges({ edges }: OracleSettings): Edge[] {
  return edges.flatMap(({ from, workspaces }) => workspaces.map((to) => ({ from, to })));
}

/** Returns whether an unmoved file has a new owner, because a nested workspace was dissolved, or is new. */
function hasNewOwner(before: OracleProject, after: OracleProject, path: string): boolean {
  return before.side.files.has(path) && ownerOf(before, path)?.path !== ownerOf(after, path)?.path;
}

/** Returns the workspaces with changed files, or with files that get another owner. `ending` has those whose rule selects no dependents. */
function ownersOf(
  before: OracleProject,
  after: OracleProject,
  changed: ReadonlySet<string>,
  settings: OracleSettings,
): Record<'passing' | 'ending', Map<string, string>> {
  const passing = new Map<string, string>();
  const ending = new Map<string, string>();
  for (const path of changed) {
    const rule = settings.ruleFor(path);
    for (const project of [before, after]) {
      const owner = project.side.files.has(path) ? ownerOf(project, path) : undefined;
      if (owner === undefined || rule === 'none') continue;
      (rule === 'owner' ? ending : passing).set(owner.name, `${path} changed, or its owner did`);
    }
  }
  return { passing, ending };
}

/** Returns the workspaces of both sides whose packages differ. */
function resolvedDifferently(before: OracleProject, after: OracleProject, changed: ReadonlySet<string>): Map<string, string> {
  const differing = new Map<string, string>();
  if (!['yarn.lock', '.yarnrc.yml', 'package.json'].some((path) => changed.has(path))) return differing;
  if (typeof before.lock === 'string' || typeof after.lock === 'string' || before.lock.kind !== after.lock.kind) return differing;
  for (const member of after.members) {
    const earlier = before.members.find(({ name, path }) => name === member.name && path === member.path);
    const difference = earlier === undefined ? undefined : firstDifference(before, earlier, after, member, changed);
    if (difference !== undefined) differing.set(member.name, `${difference} resolves differently`);
  }
  return differing;
}

function firstDifference(
  before: OracleProject,
  earlier: OracleMember,
  after: OracleProject,
  member: OracleMember,
  changed: ReadonlySet<string>,
): string | undefined {
  const old = closureOf(before, earlier, changed).packages;
  const now = closureOf(after, member, changed).packages;
  return [...new Set([...old.keys(), ...now.keys()])].find((resolution) => old.get(resolution) !== now.get(resolution));
}

function merge(...maps: readonly Iterable<readonly [string, string]>[]): Map<string, string> {
  return new Map(maps.flatMap((map) => [...map]).toReversed());
}
