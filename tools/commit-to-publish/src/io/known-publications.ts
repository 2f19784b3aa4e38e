import type { Deployment, Forge } from '@tributary/model/forge';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Progress } from '@tributary/terminal/progress';
import type { ForgePublications } from '../collect/forge-publications.js';
import { collectedFile, readCollectedFile } from './collected-file.js';
import { replaceFile } from './durable.js';

export interface KnownPublicationsAsked {
  /** The name of the repository in the record. */
  readonly name: string;
  /** `undefined`: the forge is not asked this time. */
  readonly forge: Forge | undefined;
  readonly config: Pick<PublishConfig, 'sources' | 'deployments'>;
  readonly record: AbsolutePath;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly progress: Progress;
}

/**
 * Returns releases and deployments as the forge reports them or, if it is not asked this time, as it reported them last. Throws the errors
 * of `Forge`, and `RECORD_INVALID`.
 */
export async function knownPublications(asked: KnownPublicationsAsked): Promise<ForgePublications> {
  const { name, forge, config, record, what } = asked;
  const isFresh = forge !== undefined && what === 'all';
  const kept = isFresh ? NOTHING_KEPT : readKeptPublications(record, name);
  const environments = Object.keys(config.deployments);
  const found = forge === undefined ? kept : await ask(forge, kept, asked);
  if (forge !== undefined && asked.doing === 'record' && JSON.stringify(found) !== JSON.stringify(kept))
    writeKeptPublications(record, name, found);
  return {
    releases: config.sources.includes('releases') ? found.releases : [],
    deployments: Object.fromEntries(environments.map((environment) => [environment, found.deployments[environment] ?? []])),
  };
}

async function ask(forge: Forge, kept: KeptPublications, { config, progress }: KnownPublicationsAsked): Promise<KeptPublications> {
  progress.phase(`Asking ${forge.name} for the publications of ${forge.repository}`);
  const releases = config.sources.includes('releases') ? await askReleases(forge, kept) : kept;
  const deployments: Record<string, readonly Deployment[]> = { ...kept.deployments };
  for (const environment of Object.keys(config.deployments))
    deployments[environment] = await askDeployments(forge, environment, kept.deployments[environment] ?? []);
  return { schemaVersion: 1, etag: releases.etag, releases: releases.releases, deployments };
}

async function askReleases(forge: Forge, kept: KeptPublications): Promise<Pick<KeptPublications, 'releases' | 'etag'>> {
  const found = await forge.readReleases(kept.etag ?? undefined);
  return found === 'unchanged' ? kept : { releases: found.releases, etag: found.etag ?? null };
}

/** A failed deployment is retried, and one may wait for an approval, for days. */
const LOOK_BACK = 7 * 24 * 3600e3;

/** Requests deployments from the newest back to a page without changes, a week older than the newest known one. */
async function askDeployments(forge: Forge, environment: string, kept: readonly Deployment[]): Promise<readonly Deployment[]> {
  const known = new Map(kept.map((deployment) => [deployment.id, deployment]));
  const newest = Math.max(...kept.map(({ startedAt }) => startedAt));
  for await (const page of forge.readDeployments(environment)) {
    const fresh = page.filter((deployment) => JSON.stringify(known.get(deployment.id)) !== JSON.stringify(deployment));
    for (const deployment of fresh) known.set(deployment.id, deployment);
    const oldest = Math.min(...page.map(({ startedAt }) => startedAt));
    if (fresh.length === 0 && oldest < newest - LOOK_BACK) break;
  }
  return [...known.values()].sort((a, b) => a.id - b.id);
}

/** The publications that the forge reported for a repository, as kept in a record. */
export interface KeptPublications extends ForgePublications {
  readonly schemaVersion: 1;
  /** The ETag of the list of releases; `null` if the server sends none. */
  readonly etag: string | null;
}

const NOTHING_KEPT: KeptPublications = { schemaVersion: 1, etag: null, releases: [], deployments: {} };

/** Returns nothing if the forge was never asked. `repo`: the name of the repository in the record. Throws `RECORD_INVALID`. */
function readKeptPublications(record: AbsolutePath, repo: string): KeptPublications {
  const hint = 'Collect with --github and --full, which rewrites it.';
  return readCollectedFile(collectedFile(record, repo, '.publications.json'), isKept, hint) ?? NOTHING_KEPT;
}

function writeKeptPublications(record: AbsolutePath, repo: string, kept: KeptPublications): void {
  replaceFile(collectedFile(record, repo, '.publications.json'), `${JSON.stringify(kept)}\n`);
}

function isKept(value: unknown): value is KeptPublications {
  if (!isPlainObject(value) || value['schemaVersion'] !== 1 || !isPlainObject(value['deployments'])) return false;
  return [value['releases'], ...Object.values(value['deployments'])].every((list) => Array.isArray(list) && list.every(isPlainObject));
}
