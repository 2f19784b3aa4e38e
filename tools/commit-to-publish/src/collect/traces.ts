import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import { isVersionBump } from './changes.js';
import type { Landings } from './landings.js';
import { isThere, type Layout, type MainLineStep, type PackageAtCommit } from './layout.js';
import type { MainLine, ReleaseTag } from './main-line.js';
import { landingOf, type PackageImport } from './package-import.js';
import type { GitTrace } from './publication.js';
import type { Anchors } from './releases.js';
import { versionOf } from './tag-name.js';

/** By version. */
export type Traces = ReadonlyMap<string, GitTrace>;

/** By package name. */
export interface GitTraces {
  readonly tags: ReadonlyMap<string, Traces>;
  readonly bumps: ReadonlyMap<string, Traces>;
  /** Tags that name only a version, and are of no package. */
  readonly unclaimed: readonly Unclaimed[];
}

export interface Unclaimed {
  /** The name of the tag. */
  readonly name: string;
  /**
   * `another history`: the main line shares no commit with it. `no package`: no published package of the main line has the version there.
   * `not new`: one has it, from an earlier commit or with another tag. `several packages`: it came with a joined history that did not bring
   * exactly one published package.
   */
  readonly why: 'another history' | 'no package' | 'not new' | 'several packages';
}

/** Versions by package name, for tagged commits beside the main line. */
export type VersionsBeside = ReadonlyMap<CommitId, ReadonlyMap<string, string>>;

interface TraceScene {
  readonly anchors: Anchors;
  readonly landings: Landings;
  readonly beside: VersionsBeside;
  readonly imports: readonly PackageImport[];
}

/** Returns the publications that tags and changed versions indicate. If a version was set twice, the first time counts. */
export function gitTracesOf(main: MainLine, { anchors, landings, beside, imports }: TraceScene): GitTraces {
  const brought = new Set(imports.map((one) => `${landingOf(one, main, landings)} ${one.package}`));
  const bumps = bumpsOf(main, (position, name) => brought.has(`${position} ${name}`));
  const tags = new Map<string, Map<string, GitTrace>>();
  const unclaimed: Unclaimed[] = [];
  // A cut point takes no version away from the release that follows it.
  const before = { usual: -1, rare: -1 };
  const timeOf = ({ tag: { tagged } }: ReleaseTag): number => tagged ?? Number.MAX_SAFE_INTEGER;
  const inOrder = main.tags
    .map((tag) => ({ tag, anchor: anchors.get(tag.tag.commit) ?? -1 }))
    .sort((a, b) => a.anchor - b.anchor || timeOf(a.tag) - timeOf(b.tag));
  for (const { tag, anchor } of inOrder) {
    const named = { version: tag.version, trace: traceOf(tag, main) };
    if (tag.package !== undefined) {
      setTag(tags, tag.package, named, anchors);
      continue;
    }
    const layout = main.steps[anchor]?.layout ?? new Map();
    const form = tag.isRare === true ? 'rare' : 'usual';
    const scene = { main, layout, since: before[form], versions: beside.get(tag.tag.commit) };
    const landing = landings.get(tag.tag.commit);
    const packages = landing === undefined ? packagesOf(tag, scene) : broughtBy(main, landing);
    for (const name of packages) setTag(tags, name, named, anchors);
    if (packages.length > 0) {
      if (landing === undefined) before[form] = anchor;
      continue;
    }
    const withoutVersion = anchor === -1 ? 'another history' : holdersOf(tag, scene).length === 0 ? 'no package' : 'not new';
    unclaimed.push({ name: tag.tag.name, why: landing === undefined ? withoutVersion : 'several packages' });
  }
  return { tags, bumps, unclaimed };
}

/** `isBrought` tells whether a commit imported a package, with a version that it already had. One that only comes back, as by a rename, is not published. */
function bumpsOf(
  { steps, published }: MainLine,
  isBrought: (position: number, name: string) => boolean,
): Map<string, Map<string, GitTrace>> {
  const bumps = new Map<string, Map<string, GitTrace>>();
  for (const [position, { commit, bumps: changed }] of steps.entries()) {
    const trace: GitTrace = { commit: commit.id, committed: commit.at, tagged: undefined, isRelease: true };
    for (const [name, text] of changed) {
      const version = versionOf(text);
      const isSet = isThere(name, steps[position - 1]) && !isBrought(position, name);
      if (version !== undefined && published.has(name) && isReal(version) && isSet) setOnce(bumps, name, { version, trace });
    }
  }
  return bumps;
}

/** Excludes placeholders that tools use for a version that is decided later. */
function isReal(version: string): boolean {
  return !/^0\.0\.0(?:-|$)|-(?:dev|development|snapshot|semantically-released)\b/.test(version);
}

interface Named {
  readonly version: string;
  readonly trace: GitTrace;
}

function setOnce(all: Map<string, Map<string, GitTrace>>, name: string, { version, trace }: Named): void {
  const traces = all.get(name) ?? new Map<string, GitTrace>();
  if (!traces.has(version)) traces.set(version, trace);
  all.set(name, traces);
}

/**
 * Of two tags of a version, the one of the usual form counts, otherwise the one that names the package. Of two such tags on different
 * commits of this history, the earlier one is kept, with the other. A lightweight tag has the time of an annotated one of its commit, and
 * of two annotated ones the earlier one counts.
 */
function setTag(tags: Map<string, Map<string, GitTrace>>, name: string, { version, trace }: Named, anchors: Anchors): void {
  const known = tags.get(name)?.get(version);
  if (known === undefined) return setOnce(tags, name, { version, trace });
  const [first, second] = rankOf(trace) > rankOf(known) ? [trace, known] : [known, trace];
  const isSame = first.commit === second.commit;
  const isElsewhere = rankOf(first) === rankOf(second) && !isSame && anchors.has(first.commit) && anchors.has(second.commit);
  const tagged = first.tagged ?? (isSame && second.isRare !== true ? second.tagged : undefined);
  const other = isElsewhere ? { other: { tag: second.tag ?? '', commit: second.commit } } : {};
  tags.get(name)?.set(version, { ...first, tagged, ...other });
}

function rankOf({ isNamed = false, isRare = false }: GitTrace): number {
  return (isRare ? 0 : 2) + (isNamed ? 1 : 0);
}

function traceOf({ tag, package: name, version, isRare = false }: ReleaseTag, { steps, positions }: MainLine): GitTrace {
  const tagged = tag.tagged === undefined ? undefined : ((tag.tagged * 1e6) as Micros);
  const step = steps[positions.get(tag.commit) ?? -1];
  const isRelease = step !== undefined && setsVersion(step, { name, version });
  return {
    tag: tag.name,
    commit: tag.commit,
    committed: (tag.committed * 1e6) as Micros,
    tagged,
    isRelease,
    isNamed: name !== undefined,
    isRare,
  };
}

/**
 * Tells whether a commit sets the version of a package, or of any package. A commit that releases others, or sets another version, does
 * not. If it sets no version, the message alone may name it.
 */
function setsVersion(step: MainLineStep, { name, version }: { readonly name: string | undefined; readonly version: string }): boolean {
  const { bumps, appeared, layout } = step;
  if (bumps.size + appeared.size === 0) return isVersionBump(step, true);
  const own = [...layout.values()].filter((member) => (name ?? member.name) === member.name);
  return own.some((member) => (bumps.has(member.name) || appeared.has(member.name)) && versionOf(member.version ?? '') === version);
}

/** Returns the packages of an imported tag such as `v1.2.3`: the package imported with it, if there was exactly one. */
function broughtBy({ steps, published }: MainLine, landing: number): readonly string[] {
  const names = [...(steps[landing]?.appeared ?? [])].filter((name) => published.has(name));
  return names.length === 1 ? names : [];
}

interface TagScene {
  readonly main: MainLine;
  /** The layout at the last main-line commit that the tag contains. */
  readonly layout: Layout;
  /** The anchor of the previous tag. */
  readonly since: number;
  /** The versions at a tag beside the main line. */
  readonly versions: ReadonlyMap<string, string> | undefined;
}

/** Returns the packages of a tag such as `v1.2.3`: the only package, otherwise those that got this version since the previous tag. */
function packagesOf(release: ReleaseTag, scene: TagScene): readonly string[] {
  const { main, layout, since } = scene;
  if (layout.size === 1) return [...layout.values()].map(({ name }) => name);
  const position = main.positions.get(release.tag.commit);
  const isNew = ({ name, version }: PackageAtCommit): boolean =>
    position === undefined ? versionOf(version ?? '') !== release.version : cameSince(main, name, { since, position });
  return holdersOf(release, scene)
    .filter(isNew)
    .map(({ name }) => name);
}

/** Returns the published packages that have the version of a tag at its commit. */
function holdersOf({ version, tag }: ReleaseTag, { main, layout, versions }: TagScene): readonly PackageAtCommit[] {
  const isBeside = !main.positions.has(tag.commit);
  return [...layout.values()].filter(({ name, version: onMain }) => {
    const has = versions?.get(name) ?? (isBeside ? undefined : onMain);
    return versionOf(has ?? '') === version && main.published.has(name);
  });
}

function cameSince({ steps }: MainLine, name: string, { since, position }: { readonly since: number; readonly position: number }): boolean {
  for (let at = position; at > since; at--) if (steps[at]?.bumps.has(name) === true || steps[at]?.appeared.has(name) === true) return true;
  return false;
}
