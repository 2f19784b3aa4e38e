import type { DeploymentFacts } from '@tributary/github/deployments';
import type { ReleaseFacts } from '@tributary/github/releases';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import picomatch from 'picomatch';
import type { Event, Micros } from '../model/event.js';
import type { Anchors, PlacedPublication } from './releases.js';
import type { Traces } from './traces.js';

/** What GitHub says of publications. Plain JSON. */
export interface GitHubPublications {
  readonly releases: readonly KeptRelease[];
  /** By environment. */
  readonly deployments: Readonly<Record<string, readonly Deployment[]>>;
}

export type KeptRelease = Pick<ReleaseFacts, 'tag' | 'publishedAt' | 'kind'>;

/** What became of a deployment. */
export interface Deployment {
  readonly id: number;
  readonly commit: CommitId;
  readonly startedAt: Instant;
  /** When it was a success first, or failed; `null`: it is under way. */
  readonly endedAt: Instant | null;
  readonly outcome: 'success' | 'failure' | null;
  readonly confidence: Event['confidence'];
}

/** What is no publication, and why. */
export interface LeftAtGitHub {
  /** Tags of releases that are not in the clone, or name no version of a package. */
  readonly releases: readonly string[];
  /** By environment: deployments that failed, that are under way, and those of commits that are not in the clone. */
  readonly deployments: Readonly<Record<string, { readonly failed: number; readonly underWay: number; readonly elsewhere: number }>>;
}

/** A deployment that was a success is one for ever, also when a later one takes its place (`INACTIVE`). */
export function deploymentOf({ id, commit, createdAt, statuses, completeness }: DeploymentFacts): Deployment {
  const success = statuses.find(({ state }) => state === 'SUCCESS');
  const failure = statuses.findLast(({ state }) => state === 'FAILURE' || state === 'ERROR');
  const last = statuses.at(-1)?.state;
  const isOver = success !== undefined || (failure !== undefined && (last === 'FAILURE' || last === 'ERROR' || last === 'INACTIVE'));
  const begun = statuses.find(({ state }) => state === 'IN_PROGRESS')?.at ?? createdAt;
  const endedAt = isOver ? ((success ?? failure)?.at ?? null) : null;
  return {
    ...{ id, commit, endedAt, startedAt: Math.min(begun, endedAt ?? begun) as Instant },
    outcome: isOver ? (success === undefined ? 'failure' : 'success') : null,
    confidence: completeness === 'complete' ? 'exact' : 'derived',
  };
}

/** The releases at GitHub of a package, by its tags for versions. */
export function releasesAtGitHub(
  name: string,
  { releases, tags, anchors }: { readonly releases: readonly KeptRelease[]; readonly tags: Traces | undefined; readonly anchors: Anchors },
): readonly PlacedPublication[] {
  const byTag = new Map(releases.map((release) => [release.tag, release]));
  return [...(tags ?? [])].flatMap(([version, { tag = '', commit }]): PlacedPublication[] => {
    const [release, anchor] = [byTag.get(tag), anchors.get(commit)];
    if (release === undefined || anchor === undefined) return [];
    const channel = release.kind === 'release' ? 'github-release' : 'github-prerelease';
    const at = (release.publishedAt * 1000) as Micros;
    return [{ package: name, outlet: 'release', version, channel, commit, anchor, at, source: 'api', confidence: 'exact' }];
  });
}

/** The deployments that brought a package out. `brings`: whether an environment is one of its own. */
export function deploymentsOf(
  name: string,
  {
    deployments,
    brings,
    anchors,
  }: { readonly deployments: GitHubPublications['deployments']; readonly brings: Deployed; readonly anchors: Anchors },
): readonly PlacedPublication[] {
  const own = Object.entries(deployments).filter(([environment]) => brings(environment, name));
  return own.flatMap(([environment, all]) =>
    all.flatMap(({ commit, startedAt, endedAt, outcome, confidence }): PlacedPublication[] => {
      const anchor = anchors.get(commit);
      if (outcome !== 'success' || endedAt === null || anchor === undefined) return [];
      const [begun, at] = [(startedAt * 1000) as Micros, (endedAt * 1000) as Micros];
      const what = { package: name, outlet: 'deployment', version: commit.slice(0, SHORT), channel: `deployment:${environment}` } as const;
      return [{ ...what, commit, anchor, begun, at, source: 'api', confidence }];
    }),
  );
}

const SHORT = 12;

/** Whether a deployment to an environment brings a package out. */
export type Deployed = (environment: string, packageName: string) => boolean;

/** `settings`: by environment, globs for names of packages. */
export function deployedBy(settings: Readonly<Record<string, readonly string[]>>): Deployed {
  const tests = new Map(Object.entries(settings).map(([environment, globs]) => [environment, picomatch([...globs], { dot: true })]));
  return (environment, packageName) => tests.get(environment)?.(packageName) ?? false;
}

/** What of GitHub's publications is none here. `claimed`: names of tags that belong to a version of a package. */
export function leftAtGitHub(
  { releases, deployments }: GitHubPublications,
  { claimed, anchors }: { readonly claimed: ReadonlySet<string>; readonly anchors: Anchors },
): LeftAtGitHub {
  const counts = Object.entries(deployments).map(([environment, all]) => {
    const elsewhere = all.filter(({ outcome, commit }) => outcome === 'success' && !anchors.has(commit)).length;
    const count = (outcome: Deployment['outcome']): number => all.filter((one) => one.outcome === outcome).length;
    return [environment, { failed: count('failure'), underWay: count(null), elsewhere }] as const;
  });
  return { releases: releases.flatMap(({ tag }) => (claimed.has(tag) ? [] : [tag])), deployments: Object.fromEntries(counts) };
}
