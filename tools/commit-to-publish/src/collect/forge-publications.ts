import type { Deployment, ForgeRelease } from '@tributary/model/forge';
import type { Micros } from '../model/event.js';
import { globTest } from './glob-test.js';
import type { Anchors, PlacedPublication } from './releases.js';
import type { Traces } from './traces.js';

/** The publications that the forge reports, as plain JSON. */
export interface ForgePublications {
  readonly releases: readonly ForgeRelease[];
  /** By environment. */
  readonly deployments: Readonly<Record<string, readonly Deployment[]>>;
}

/** Releases and deployments that are not publications, with the reason. */
export interface LeftAtForge {
  /** Tags of releases that are missing from the clone or name no version of a package. */
  readonly releases: readonly string[];
  /** By environment: deployments that failed, that are under way, and whose commit is missing from the clone. */
  readonly deployments: Readonly<Record<string, { readonly failed: number; readonly underWay: number; readonly elsewhere: number }>>;
}

/** Returns the releases of a package at the forge, matched by its version tags. */
export function releasesAtForge(
  name: string,
  { releases, tags, anchors }: { readonly releases: readonly ForgeRelease[]; readonly tags: Traces | undefined; readonly anchors: Anchors },
): readonly PlacedPublication[] {
  if (releases.length === 0) return [];
  const byTag = new Map(releases.map((release) => [release.tag, release]));
  return [...(tags ?? [])].flatMap(([version, { tag = '', commit }]): PlacedPublication[] => {
    const [release, anchor] = [byTag.get(tag), anchors.get(commit)];
    if (release === undefined || anchor === undefined) return [];
    const channel = release.kind === 'release' ? 'github-release' : 'github-prerelease';
    const at = (release.publishedAt * 1000) as Micros;
    return [{ package: name, outlet: 'release', version, channel, commit, anchor, at, source: 'api', confidence: 'exact' }];
  });
}

/** Returns the deployments that published a package. `brings` tells whether an environment deploys it. */
export function deploymentsOf(
  name: string,
  {
    deployments,
    brings,
    anchors,
  }: { readonly deployments: ForgePublications['deployments']; readonly brings: Deployed; readonly anchors: Anchors },
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

/** Tells whether a deployment to an environment publishes a package. */
export type Deployed = (environment: string, packageName: string) => boolean;

/** `settings`: by environment, globs for package names. */
export function deployedBy(settings: Readonly<Record<string, readonly string[]>>): Deployed {
  const tests = new Map(Object.entries(settings).map(([environment, globs]) => [environment, globTest(globs, { dot: true })]));
  return (environment, packageName) => tests.get(environment)?.(packageName) ?? false;
}

/** Returns the forge's publications that belong to no package here. `claimed`: tags that belong to a version of a package. */
export function leftAtForge(
  { releases, deployments }: ForgePublications,
  { claimed, anchors }: { readonly claimed: ReadonlySet<string>; readonly anchors: Anchors },
): LeftAtForge {
  const counts = Object.entries(deployments).map(([environment, all]) => {
    const elsewhere = all.filter(({ outcome, commit }) => outcome === 'success' && !anchors.has(commit)).length;
    const count = (outcome: Deployment['outcome']): number => all.filter((one) => one.outcome === outcome).length;
    return [environment, { failed: count('failure'), underWay: count(null), elsewhere }] as const;
  });
  return { releases: releases.flatMap(({ tag }) => (claimed.has(tag) ? [] : [tag])), deployments: Object.fromEntries(counts) };
}
