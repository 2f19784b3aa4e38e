import { join } from 'node:path';
import type { RemoteRef } from '@tributary/git/parse';
import type { Config } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import { orDiskFull } from '../io/full-disk.js';
import { locateSource, notConfirmed, readConfig } from '../io/locate.js';
import { type FetchedSource, fetchSource } from '../io/source.js';
import type { StagingArea } from '../io/staging-area.js';
import type { Target } from '../io/target.js';
import type { LeftOutPackage, SourceRequest } from '../plan/facts.js';
import { refuseFolderWithMerge } from '../strategy.js';
import { mapFew } from './map-few.js';
import type { MigrateRequest } from './migrate-request.js';
import type { NamedRequest } from './name-all.js';
import { refuseTakenTags } from './refuse-taken-tags.js';

/** The settings of the command line and tributary.json combined. */
export interface Settings {
  /** The folder of tributary.json, which need not exist. */
  readonly folder: AbsolutePath;
  readonly config: Config;
  readonly pathPattern: string;
  /** `undefined`: no tags. */
  readonly tagPattern: string | undefined;
}

/** Everything that is read before decisions. */
export interface Gathered {
  readonly fetched: ReadonlyMap<string, FetchedSource>;
  readonly sources: readonly FetchedSource['facts'][];
  readonly leftOut: readonly LeftOutPackage[];
}

/** Returns the settings of a run. Throws `CONFIG_INVALID`. */
export async function readSettings(request: Pick<MigrateRequest, 'tags'>, target: Target): Promise<Settings> {
  const folder = parseAbsolutePath(target.workTree === undefined ? target.gitDir : join(target.workTree, target.facts.root));
  const config = await readConfig(folder, target);
  const configured = config.migrate.tags === false ? undefined : config.migrate.tags;
  const tagPattern = request.tags === 'none' ? undefined : request.tags === 'configured' ? configured : request.tags.pattern;
  return { folder, config, pathPattern: config.migrate.path, tagPattern };
}

/**
 * Locates and fetches each package. One that cannot be located or fetched is left out. Only errors that concern the
 * whole run are thrown: `INTERRUPTED`, `DISK_FULL`, `GIT_MISSING`.
 */
export async function gatherSources(
  stagingArea: StagingArea,
  target: Target,
  work: { readonly request: NamedRequest; readonly settings: Settings; readonly services: Services; readonly progress: Progress },
): Promise<Gathered> {
  const located: (SourceRequest | LeftOutPackage)[] = [];
  // Sequential, because each may prompt the person.
  for (const name of work.request.packages) located.push(await orLeftOut(name, () => locate(name, work)));
  const choices = {
    tags: work.settings.tagPattern === undefined ? ('leave' as const) : ('bring' as const),
    lfsPointers: work.request.lfsPointers,
    allowedFaults: work.request.allowedFaults,
    signal: work.services.signal,
  };
  work.progress.phase('Fetching', located.length);
  const outcomes = await mapFew(located, async (source, at): Promise<FetchedSource | LeftOutPackage> => {
    if ('error' in source) return source;
    const { name } = source;
    const onFetch = (stage: string, percent: number): void => work.progress.step(`${name}: ${stage.toLowerCase()} ${percent} %`, 0);
    const scratch = stagingArea.newScratch(String(at));
    const onAnnounced = async (announced: readonly RemoteRef[]): Promise<void> => {
      // Of several packages, each is fetched: its version decides which others can come without it.
      if (located.length > 1) return;
      await refuseTakenTags(target, { request: source, announced }, { ...work.settings, strategy: work.request.strategy });
    };
    const outcome = await orLeftOut(name, () =>
      fetchSource(target, { request: source, scratch }, { ...choices, onFetch, onAnnounced }).catch((error: unknown) => {
        throw orDiskFull(error, stagingArea.folder);
      }),
    );
    work.progress.step(source.name);
    return outcome;
  });
  return sortOut(outcomes);
}

function sortOut(outcomes: readonly (FetchedSource | LeftOutPackage)[]): Gathered {
  const fetched = outcomes.filter((outcome) => 'facts' in outcome);
  return {
    fetched: new Map(fetched.map((source) => [source.facts.request.name, source])),
    sources: fetched.map(({ facts }) => facts),
    leftOut: outcomes.filter((outcome) => 'error' in outcome),
  };
}

async function locate(
  name: WorkspaceName,
  work: { readonly request: NamedRequest; readonly settings: Settings; readonly services: Services },
): Promise<SourceRequest> {
  const confirm = async (finding: string): Promise<void> => {
    work.services.ui.status(finding);
    if (work.request.confirmation === 'given') return;
    if ((await work.services.ui.confirm('Migrate it from there?')) !== 'yes') throw notConfirmed(name, finding);
  };
  const source = await locateSource(name, { ...work.request, confirm, signal: work.services.signal }, work.settings);
  refuseFolderWithMerge(work.request.strategy, source.subdirectory);
  return source;
}

async function orLeftOut<T>(name: WorkspaceName, work: () => Promise<T>): Promise<T | LeftOutPackage> {
  try {
    return await work();
  } catch (error) {
    // A wrong command line fails as a whole: `statsu x` must not look up x in a registry.
    if (!isToolError(error) || ['USAGE', 'INTERRUPTED', 'DISK_FULL', 'GIT_MISSING'].includes(error.code)) throw error;
    return { name, error };
  }
}
