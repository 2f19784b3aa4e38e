import type { Entry } from './lock.fixture.js';
import { manifestPath, type OracleMember, type OracleProject, type OracleTarget } from './project.fixture.js';
import { type OracleAsker, resolve } from './resolve.fixture.js';
import { asObject, textOf, textsIn } from './side.fixture.js';

/** `from` depends on `to`, by name. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The packages outside of all workspaces that a workspace uses, and the workspaces that it reaches through them. */
export interface Closure {
  /** The content of each package, by resolution. */
  readonly packages: ReadonlyMap<string, string>;
  readonly members: ReadonlySet<string>;
}

type Dependency = readonly [name: string, range: string];

const FIELDS = ['dependencies', 'optionalDependencies', 'devDependencies'];

/** Returns the edges of one side. `changed` has the paths with another text: these manifests may be newer than the lockfile. */
export function edgesOf(project: OracleProject, changed: ReadonlySet<string>): Edge[] {
  return project.members.flatMap((member) => {
    const { members } = closureOf(project, member, changed);
    const peers = textsIn(member.manifest['peerDependencies']).map(([name]) => name);
    const known = new Set(project.members.map(({ name }) => name));
    const targets = new Set([...members, ...peers.filter((name) => known.has(name))]);
    return [...targets].filter((to) => to !== member.name).map((to) => ({ from: member.name, to }));
  });
}

/** Walks over all packages from the dependencies of a workspace, or from one of them. It stops at workspaces. */
export function closureOf(project: OracleProject, member: OracleMember, changed: ReadonlySet<string>, only?: string): Closure {
  const packages = new Map<string, string>();
  const members = new Set<string>();
  const walk = (targets: readonly OracleTarget[]): void => {
    for (const target of targets) {
      if ('member' in target) {
        members.add(target.member.name);
      } else if (!packages.has(target.entry.resolution)) {
        packages.set(target.entry.resolution, target.entry.content);
        walk(targetsOf(project, target.entry));
      }
    }
  };
  const version = textOf(member.manifest['version']) || '0.0.0';
  const locator = `${member.name}@workspace:${member.path}`;
  const asker = { name: member.name, version, folder: member.path, locator, locked: !changed.has(manifestPath(member)) };
  const dependencies = dependenciesOf(project, member, changed).filter(([name]) => only === undefined || name === only);
  walk(resolveAll(project, dependencies, asker));
  return { packages, members };
}

/** Returns the targets of a package's dependencies, including those of `packageExtensions`. */
function targetsOf(project: OracleProject, entry: Entry): readonly OracleTarget[] {
  const known = project.targets.get(entry);
  if (known !== undefined) return known;
  const asker = { name: nameIn(entry), version: entry.version, locator: entry.resolution, locked: true };
  const dependencies = [...entry.dependencies, ...extensionsOf(project, asker.name, entry.version)];
  const targets = resolveAll(project, dependencies, asker);
  project.targets.set(entry, targets);
  return targets;
}

function resolveAll(project: OracleProject, dependencies: readonly Dependency[], asker: OracleAsker): OracleTarget[] {
  return dependencies.map(([name, range]) => resolve(project, name, range, asker)).filter((target) => target !== undefined);
}

/**
 * Returns the dependencies in a manifest. For an unchanged manifest, only those that the lockfile has too: the guide names an older
 * lockfile as a limit.
 */
function dependenciesOf({ lock }: OracleProject, member: OracleMember, changed: ReadonlySet<string>): Dependency[] {
  const asked = FIELDS.flatMap((field) => textsIn(member.manifest[field])).filter(([name]) => !hasTwoRanges(member, name));
  if (lock === 'missing' || lock === 'broken' || lock.kind === 'classic' || changed.has(manifestPath(member))) return asked;
  const resolution = `${member.name}@workspace:${member.path}`;
  const own = [...lock.entries.values()].find((entry) => entry.resolution === resolution);
  return asked.filter(([name, range]) => own?.dependencies.some((one) => one[0] === name && bare(one[1]) === bare(range)));
}

/** The Yarn version decides which of them counts. */
export function hasTwoRanges({ manifest }: OracleMember, name: string): boolean {
  return new Set(FIELDS.flatMap((field) => textsIn(manifest[field]).flatMap(([one, range]) => (one === name ? [range] : [])))).size > 1;
}

function bare(range: string): string {
  return range.replace(/^npm:/, '');
}

/** Returns the dependencies that `packageExtensions` adds to a package. Yarn 1 does not read this setting. */
export function extensionsOf({ settings, lock }: OracleProject, name: string, version: string): Dependency[] {
  if (typeof lock !== 'string' && lock.kind === 'classic') return [];
  return Object.entries(asObject(settings['packageExtensions']) ?? {})
    .filter(([key]) => key === `${name}@*` || key === `${name}@${version}`)
    .flatMap(([, extension]) => textsIn(asObject(extension)?.['dependencies']));
}

/** Returns the name of the package of an entry. */
function nameIn({ resolution }: Entry): string {
  return resolution.slice(0, resolution.indexOf('@', 1));
}

/** Returns the given workspaces and all their dependents, each with the path to it. */
export function spread(starts: ReadonlyMap<string, string>, edges: readonly Edge[]): Map<string, string> {
  const reached = new Map(starts);
  // The loop also visits workspaces that it adds to the map.
  for (const [to, path] of reached) {
    for (const { from } of edges.filter((edge) => edge.to === to)) {
      if (!reached.has(from)) reached.set(from, `depends on ${to}: ${path}`);
    }
  }
  return reached;
}
