import { countOf } from '../describe.js';
import { readEnvironment } from '../io/environment.js';
import { cacheFolderOf, takeStageResults } from '../io/stage-results.js';
import { inOneLine } from '../plan/shape.js';
import type { TurboHashes } from '../plan/turbo-hashes.js';
import type { TaskId } from '../plan/upstream.js';
import type { Receipt, ReceiptStage } from '../receipt/receipt.js';
import type { ShardJob } from './shard-job.js';

/** What a shard has from the build stage. */
interface Staged {
  /** What the job passes on to turborepo. */
  readonly given: Required<Pick<ShardJob, 'cacheFolder' | 'replayed' | 'staged'>>;
  /** Call it when all has run. */
  readonly receipt: () => Pick<Receipt, 'staged'>;
}

/**
 * Puts results of the build stage into turborepo's cache: only of planned builds, and only with the hash that turborepo has for them in this
 * checkout. So no test's result comes from there, and whatever is missing is built here. `undefined` if the plan has no stage.
 */
export function takeStaged(job: ShardJob, hashes: TurboHashes | undefined): Staged | undefined {
  const { plan, stage, folder, services } = job;
  if (plan.stage === undefined || stage === undefined) return undefined;
  const planned = new Set(plan.stage.jobs.flatMap(({ builds }) => builds));
  const wanted = new Map<TaskId, string>(
    [...planned].flatMap((task) => {
      const hash = hashes?.restoredHash(task);
      return hash === undefined ? [] : [[task, hash] as const];
    }),
  );
  const cacheFolder = cacheFolderOf(folder);
  const general = hashes === undefined ? 'turborepo did not list its hashes' : cacheOff();
  const taken = { plan: plan.hash, wanted, into: cacheFolder };
  const { builds, problems } =
    general === undefined ? takeStageResults(stage, taken) : { builds: new Map<string, TaskId>(), problems: [general] };
  const problem = describeMissing(
    [...wanted.keys()].filter((task) => builds.get(wanted.get(task) ?? '') !== task),
    { problems, isUnknown: general !== undefined },
  );
  if (problem !== undefined) services.ui.warning(problem);
  const replayed = new Set<string>();
  return {
    given: { cacheFolder, replayed, staged: new Set(builds.keys()) },
    receipt: () => ({ staged: stagedIn({ builds, replayed }, problem) }),
  };
}

/** Returns a clause if a variable of the job keeps turborepo from its local cache. */
function cacheOff(): string | undefined {
  const environment = readEnvironment();
  const isOn = (name: string): boolean => !['', '0', 'false'].includes(environment[name]?.toLowerCase() ?? '');
  const name = ['TURBO_FORCE', 'TURBO_REMOTE_ONLY'].find(isOn);
  if (name !== undefined) return `${name} is set`;
  return isOn('TURBO_CACHE') && !/local:\w*r/.test(environment['TURBO_CACHE'] ?? '') ? 'TURBO_CACHE leaves out the local cache' : undefined;
}

function stagedIn(
  { builds, replayed }: { readonly builds: ReadonlyMap<string, TaskId>; readonly replayed: ReadonlySet<string> },
  problem: string | undefined,
): ReceiptStage {
  const used = [...builds].filter(([hash]) => replayed.has(hash)).map(([, task]) => task);
  return { builds: used.sort(), ...(problem === undefined ? {} : { problem }) };
}

function describeMissing(
  missing: readonly TaskId[],
  { problems, isUnknown }: { readonly problems: readonly string[]; readonly isUnknown: boolean },
): string | undefined {
  if (missing.length === 0 && !isUnknown) return undefined;
  const what = isUnknown ? 'The builds' : `${countOf(missing.length, 'build')} (${inOneLine(missing[0] ?? '')})`;
  const why = problems.length === 0 ? 'the stage has no such result' : problems.join('; ');
  return `${what} of the stage ${isUnknown || missing.length > 1 ? 'are' : 'is'} made again: ${why}.`;
}
