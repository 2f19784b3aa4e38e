import type { GitHub } from '@tributary/github/client';
import type { AbsolutePath } from '@tributary/model/paths';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Progress } from '@tributary/terminal/progress';
import { type Deployment, deploymentOf, type GitHubPublications, type KeptRelease } from '../collect/github-publications.js';
import { type KeptPublications, NOTHING_KEPT, readKeptPublications, writeKeptPublications } from './kept-publications.js';
import type { GitHubSource } from './known-pulls.js';
import { onPauseOf } from './on-pause.js';

export interface KnownPublicationsAsked {
  /** What the repository is called in the record. */
  readonly name: string;
  readonly github: GitHubSource | undefined;
  readonly config: Pick<PublishConfig, 'sources' | 'deployments'>;
  readonly record: AbsolutePath;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Releases and deployments: what GitHub says, or, where it is not asked this time, what it has said before. Throws as `GitHub.call`, and `RECORD_INVALID`. */
export async function knownPublications(asked: KnownPublicationsAsked): Promise<GitHubPublications> {
  const { name, github, config, record, what } = asked;
  const isFresh = github !== undefined && what === 'all';
  const kept = isFresh ? NOTHING_KEPT : readKeptPublications(record, name);
  const environments = Object.keys(config.deployments);
  const found = github === undefined ? kept : await ask({ ...asked, github }, { kept, environments });
  if (github !== undefined && asked.doing === 'record' && JSON.stringify(found) !== JSON.stringify(kept))
    writeKeptPublications(record, name, found);
  return {
    releases: config.sources.includes('releases') ? found.releases : [],
    deployments: Object.fromEntries(environments.map((environment) => [environment, found.deployments[environment] ?? []])),
  };
}

async function ask(
  { github: source, config, signal, progress }: KnownPublicationsAsked & { readonly github: GitHubSource },
  { kept, environments }: { readonly kept: KeptPublications; readonly environments: readonly string[] },
): Promise<KeptPublications> {
  const { openGitHub } = await import('./open-github.js');
  const question: Question = { github: openGitHub({ ...source, signal }), source, onPause: onPauseOf(progress) };
  progress.phase(`Asking GitHub for the publications of ${source.owner}/${source.repo}`);
  const releases = config.sources.includes('releases') ? await askReleases(question, kept) : kept;
  const deployments: Record<string, readonly Deployment[]> = { ...kept.deployments };
  for (const environment of environments) deployments[environment] = await askDeployments(question, environment, kept);
  return { schemaVersion: 1, etag: releases.etag, releases: releases.releases, deployments };
}

interface Question {
  readonly github: GitHub;
  readonly source: GitHubSource;
  readonly onPause: (seconds: number) => void;
}

async function askReleases(
  { github, source, onPause }: Question,
  kept: KeptPublications,
): Promise<Pick<KeptPublications, 'releases' | 'etag'>> {
  const { readReleases } = await import('@tributary/github/releases');
  const { owner, repo } = source;
  const found = await readReleases(github, { owner, repo, etag: kept.etag ?? undefined, onPause });
  if (found === 'unchanged') return kept;
  const releases = found.releases.map(({ tag, publishedAt, kind }): KeptRelease => ({ tag, publishedAt, kind }));
  return { releases, etag: found.etag ?? null };
}

/** What fails is tried again, and what waits for an approval waits, for days. */
const LOOK_BACK = 7 * 24 * 3600e3;

/** From the newest back to where a week of them was known before. */
async function askDeployments(
  { github, source, onPause }: Question,
  environment: string,
  { deployments }: KeptPublications,
): Promise<readonly Deployment[]> {
  const { readDeployments } = await import('@tributary/github/deployments');
  const known = new Map((deployments[environment] ?? []).map((deployment) => [deployment.id, deployment]));
  const { owner, repo } = source;
  const newest = Math.max(...[...known.values()].map(({ startedAt }) => startedAt));
  for await (const page of readDeployments(github, { owner, repo, environment, onPause })) {
    const fresh = page.filter((facts) => JSON.stringify(known.get(facts.id)) !== JSON.stringify(deploymentOf(facts)));
    for (const facts of fresh) known.set(facts.id, deploymentOf(facts));
    const oldest = Math.min(...page.map(({ createdAt }) => createdAt));
    if (fresh.length === 0 && oldest < newest - LOOK_BACK) break;
  }
  return [...known.values()].sort((a, b) => a.id - b.id);
}
