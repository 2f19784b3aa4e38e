import { Dice } from '@tributary/test-repo/dice';
import { MONOREPO as APP, SOURCES } from './organisation.js';

/** One event as a pipeline records it: Event v1 of commit-to-publish. Times are microseconds since 1970. */
export interface PipelineEvent {
  readonly id: string;
  readonly change: string;
  readonly repo: string;
  readonly package: string;
  readonly stage: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly recordedAt: number;
  readonly consumer?: string;
  readonly release?: string;
  readonly channel?: string;
}

/** What is the same for all events. */
const EVENT = { schemaVersion: 1, attempt: 1, outcome: 'success', actor: 'person', source: 'ci', confidence: 'exact' } as const;
/** The publications that the pipelines record: packages in the registry, the app for its riders. */
export const CHANNELS = 'latest,production';
/** The number of recorded weeks before and after the migration. */
export const WEEKS = 12;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A stage, its start and end in seconds, and its further properties. */
type Stage = readonly [stage: string, from: number, to: number, more?: Partial<PipelineEvent>];

/**
 * Returns the events that the company's pipelines recorded in the `WEEKS` before and after the migration of all packages (`moved`, in seconds
 * since 1970). Before it, a change was published with its package, and the app upgraded to that and was released. After it, the change is
 * released with the app.
 */
export function pipelineEvents(moved: number): readonly PipelineEvent[] {
  const dice = new Dice(2026);
  const span = { from: moved - WEEKS * 7 * DAY, until: moved + WEEKS * 7 * DAY };
  const deployments = timesBetween(span, DAY, dice);
  return Object.entries(SOURCES).flatMap(([name, folder]) => {
    const releases = timesBetween({ ...span, until: moved }, 3 * DAY, dice).map((at) => releaseAt(at, dice));
    return timesBetween(span, 2 * DAY, dice).flatMap((merged, at) => {
      const tested = merged + (8 + dice.below(20)) * MINUTE;
      const rest = merged < moved ? alone(name, tested, { releases, deployments }) : deployedWith(deployments, tested);
      // A change without a later release is not published yet.
      if (rest === undefined) return [];
      const repo = merged < moved ? folder : APP;
      const stages: readonly Stage[] = [['merge-wait', merged, merged], ['post-merge-tests', merged, tested], ...rest];
      return stages.map((stage) => toEvent({ change: `${folder}-${at}`, repo, package: name }, stage));
    });
  });
}

/** A release of a package, and the app's pull request that upgrades to it, from its opening to its merge. */
interface Release {
  readonly at: number;
  readonly opened: number;
  readonly upgraded: number;
}

function releaseAt(at: number, dice: Dice): Release {
  const opened = at + (1 + dice.below(24)) * HOUR;
  return { at, opened, upgraded: opened + (2 + dice.below(60)) * HOUR };
}

interface Rhythm {
  readonly releases: readonly Release[];
  readonly deployments: readonly number[];
}

/** Returns the stages of a change in a separate repository: a release of the package, an upgrade, a release of the app. */
function alone(name: string, tested: number, { releases, deployments }: Rhythm): readonly Stage[] | undefined {
  const release = releases.find(({ at }) => at >= tested);
  if (release === undefined) return undefined;
  const { at, opened, upgraded } = release;
  const consumer = { consumer: APP };
  return [
    ['publish', at, at + 4 * MINUTE, { release: `${name} ${at}`, channel: 'latest' }],
    ['upgrade-open', at + 4 * MINUTE, opened, consumer],
    ['upgrade-tests', opened, opened + 25 * MINUTE, consumer],
    ['upgrade-merge', opened + 25 * MINUTE, upgraded, consumer],
    ...(deployedWith(deployments, upgraded) ?? []).map(([stage, from, to, more]): Stage => [stage, from, to, { ...more, ...consumer }]),
  ];
}

/** Returns the stages of a change that is deployed with the app. */
function deployedWith(deployments: readonly number[], ready: number): readonly Stage[] | undefined {
  const at = deployments.find((time) => time >= ready);
  return at === undefined ? undefined : [['publish', at, at + 9 * MINUTE, { release: `${APP} ${at}`, channel: 'production' }]];
}

function toEvent(of: Pick<PipelineEvent, 'change' | 'repo' | 'package'>, [stage, from, to, more]: Stage): PipelineEvent {
  const id = `${of.change} ${stage} ${more?.consumer ?? ''}`;
  return { ...EVENT, id, ...of, stage, startedAt: from * 1e6, endedAt: to * 1e6, recordedAt: to * 1e6, ...more };
}

/** Returns times about `every` seconds apart, at irregular intervals. */
function timesBetween({ from, until }: { readonly from: number; readonly until: number }, every: number, dice: Dice): readonly number[] {
  const times: number[] = [];
  for (let at = from + dice.below(every); at < until; at += Math.round(every / 2) + dice.below(every)) times.push(at);
  return times;
}
