import { readNamedBlobs, readObjects, resolveNames } from '@tributary/git/objects';
import type { CommitId } from '@tributary/model/ids';
import { backMergesOf } from '../collect/back-merges.js';
import {
  type Deployed,
  deploymentsOf,
  type ForgePublications,
  type LeftAtForge,
  leftAtForge,
  releasesAtForge,
} from '../collect/forge-publications.js';
import { type Landings, landingsOf } from '../collect/landings.js';
import type { MainLine } from '../collect/main-line.js';
import type { PackageImport } from '../collect/package-import.js';
import { picksOf } from '../collect/picks.js';
import type { RegistryTrace } from '../collect/publication.js';
import {
  channelsNow,
  commitsIn,
  type KnownChannels,
  type PublicationSource,
  type Publications,
  publicationsOf,
  type RegistryFacts,
} from '../collect/publications.js';
import { type Anchors, anchorsOf } from '../collect/releases.js';
import { type GitTraces, gitTracesOf, type VersionsBeside } from '../collect/traces.js';
import type { Micros } from '../model/event.js';
import type { CloneCache } from './clone-cache.js';
import type { Clone } from './open-clone.js';
import { type Packument, type RegistryQuestion, readPackuments } from './packuments.js';
import { type ReadClone, textIn } from './read-imports.js';

interface PublicationChoices {
  readonly sources: ReadonlySet<PublicationSource>;
  /** `undefined`: the registry is not asked. */
  readonly question: RegistryQuestion | undefined;
  readonly atForge: ForgePublications;
  readonly brings: Deployed;
  readonly channels: KnownChannels;
  /** Former names of packages, with the current ones. */
  readonly formerNames: readonly (readonly [former: string, now: string])[];
  readonly imports: readonly PackageImport[];
  readonly now: Micros;
  /** `all` always looks for joined histories; `where needed` only if something points to one. */
  readonly joined: 'all' | 'where needed';
}

interface RepositoryPublications {
  readonly byPackage: ReadonlyMap<string, Publications>;
  readonly unclaimed: GitTraces['unclaimed'];
  /** Packages that the registry does not have. */
  readonly unknown: readonly string[];
  readonly leftAtGitHub: LeftAtForge;
  readonly landings: Landings;
  /** As `backMergesOf` returns them. */
  readonly backMerges: ReadonlyMap<CommitId, number>;
  /** The dist-tags that are known from now on. */
  readonly channels: KnownChannels;
}

/** Reads the publications of all packages of a main line. Throws `REGISTRY_UNREACHABLE`, `REGISTRY_REFUSED`, `GIT_FAILED`. */
export async function readPublications(
  { git, head, cache, history }: ReadClone,
  main: MainLine,
  { sources, question, atForge, brings, channels, formerNames, imports, now, joined }: PublicationChoices,
): Promise<RepositoryPublications> {
  const names = [...main.published].sort();
  const former = formerNames.filter(([name, now]) => main.published.has(now) && !main.published.has(name));
  const asked = [...names, ...former.map(([name]) => name)];
  const answers = question === undefined ? new Map<string, Packument>() : await readPackuments(asked, question);
  const packuments = underOneName(answers, former);
  const registry = await placeUploads(git, packuments);
  const deployed = await findCommits(
    git,
    Object.values(atForge.deployments).flatMap((all) => all.map(({ commit }) => commit)),
  );
  const tips = new Set([...main.tags.map(({ tag }) => tag.commit), ...commitsIn({ tags: new Map() }, registry), ...deployed]);
  const off = [...tips].filter((commit) => !main.positions.has(commit));
  await history.read(off);
  const aside = history.containedIn(off);
  const picks = picksOf({ positions: main.positions, contained: aside, messages: history.messages });
  const anchors = anchorsOf([...main.positions.keys()], aside);
  const beside = await readVersionsBeside(git, main, { anchors, cache });
  const isNeeded = joined === 'all' || off.some((commit) => !anchors.has(commit));
  const beginnings = new Set(off.filter((commit) => anchors.has(commit)));
  const contained = isNeeded || beginnings.size > 0 ? history.containedIn([head]) : [];
  const landings: Landings = isNeeded ? landingsOf([...main.positions.keys()], contained) : new Map();
  const line = main.steps.map(({ commit }) => commit);
  const traces = gitTracesOf(main, { anchors, landings, beside, imports });
  const claimed = new Set([...traces.tags.values()].flatMap((own) => [...own.values()].map(({ tag = '' }) => tag)));
  const allOf = (name: string): Publications => {
    const versions = publicationsOf(name, { traces, registry, anchors, mistimed: main.mistimed, landings, picks, now, sources, channels });
    const releases = releasesAtForge(name, { releases: atForge.releases, tags: traces.tags.get(name), anchors });
    const deployments = deploymentsOf(name, { deployments: atForge.deployments, brings, anchors });
    const others = [...releases, ...deployments];
    return others.length === 0 ? versions : { ...versions, placed: [...versions.placed, ...others].sort((a, b) => a.at - b.at) };
  };
  return {
    byPackage: new Map(names.map((name) => [name, allOf(name)])),
    unclaimed: traces.unclaimed,
    unknown: question === undefined ? [] : names.filter((name) => !packuments.has(name)),
    landings,
    backMerges: backMergesOf(line, contained, beginnings),
    leftAtGitHub: leftAtForge(atForge, { claimed, anchors }),
    channels: channelsNow(channels, registry),
  };
}

/** Joins the registry's data of a package under all its names. If two names have the same version, the later name's counts. */
function underOneName(
  answers: ReadonlyMap<string, Packument>,
  former: readonly (readonly [string, string])[],
): ReadonlyMap<string, Packument> {
  const joined = new Map(answers);
  for (const [name, now] of former) {
    const [before, later] = [answers.get(name), joined.get(now)];
    joined.delete(name);
    if (before === undefined) continue;
    const versions = new Map([...before.versions, ...(later?.versions ?? [])]);
    joined.set(now, { versions, distTags: later?.distTags ?? before.distTags, lacks: later?.lacks ?? before.lacks });
  }
  return joined;
}

/** Returns the commits that the clone has. */
async function findCommits(git: Clone['git'], commits: readonly CommitId[]): Promise<readonly CommitId[]> {
  return (await resolveNames(git, [...new Set(commits)])).flatMap((object) => (object?.type === 'commit' ? [object.id as CommitId] : []));
}

/** Finds the commits of uploads. An upload without a commit in the clone has only its time. */
async function placeUploads(git: Clone['git'], packuments: ReadonlyMap<string, Packument>): Promise<ReadonlyMap<string, RegistryFacts>> {
  const heads = new Set([...packuments.values()].flatMap(({ versions }) => [...versions.values()].map(({ gitHead }) => gitHead ?? '')));
  const ids = [...heads].filter((head) => /^[0-9a-f]{40}$/.test(head)) as CommitId[];
  const found = await findCommits(git, ids);
  const times = new Map<string, Micros>();
  for (const { id, content } of await readObjects(git, found)) {
    const seconds = /^committer .* (\d+) [+-]\d+$/m.exec(content.toString('utf8'))?.[1];
    if (seconds !== undefined) times.set(id, (Number(seconds) * 1e6) as Micros);
  }
  return new Map(
    [...packuments].map(([name, { versions, ...facts }]) => {
      const traces = [...versions].map(([version, { time, gitHead }]): [string, RegistryTrace] => {
        const uploaded = Date.parse(time ?? '');
        const at = times.get(gitHead ?? '');
        const commit = at === undefined ? undefined : { id: gitHead as CommitId, at };
        return [version, { at: Number.isNaN(uploaded) ? undefined : ((uploaded * 1000) as Micros), commit }];
      });
      return [name, { ...facts, versions: new Map(traces) }];
    }),
  );
}

/** Reads versions for tags such as `v1.2.3` beside the main line, in a repository of several packages. */
async function readVersionsBeside(
  git: Clone['git'],
  main: MainLine,
  { anchors, cache }: { readonly anchors: Anchors; readonly cache: CloneCache },
): Promise<VersionsBeside> {
  const asked = main.tags.flatMap(({ package: name, tag }) => {
    const layout = main.positions.has(tag.commit) ? undefined : main.steps[anchors.get(tag.commit) ?? -1]?.layout;
    if (name !== undefined || layout === undefined || layout.size < 2) return [];
    return [...layout.values()].map(({ name: member, path }) => ({ commit: tag.commit, member, path }));
  });
  const known = cache.versions();
  const fresh = asked.filter(({ commit, path }) => known.get(commit)?.has(path) !== true);
  const paths = fresh.map(({ commit, path }) => `${commit}:${path === '' ? '' : `${path}/`}package.json`);
  for (const [at, blob] of (await readNamedBlobs(git, paths)).entries()) {
    const { commit, path } = fresh[at] ?? {};
    if (commit !== undefined && path !== undefined) known.set(commit, (known.get(commit) ?? new Map()).set(path, textIn(blob, 'version')));
  }
  cache.keepVersions(known, fresh.length);
  const found = new Map<CommitId, Map<string, string>>();
  for (const { commit, member, path } of asked) {
    const version = known.get(commit)?.get(path);
    if (version !== undefined) found.set(commit, (found.get(commit) ?? new Map<string, string>()).set(member, version));
  }
  return found;
}
