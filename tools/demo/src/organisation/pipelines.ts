import { Dice } from '@tributary/test-repo/dice';
import { SOURCE_FOLDERS } from './organisation.js';

/** One event as a pipeline records it: Event v1 of commit-to-publish. Times are microseconds since 1970. */
export interface PipelineEvent {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly change: string;
  readonly repo: string;
  readonly package: string;
  readonly consumer?: string;
  readonly stage: string;
  readonly attempt: 1;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'success';
  readonly actor: 'person';
  readonly source: 'ci';
  readonly confidence: 'exact';
  readonly recordedAt: number;
  readonly release?: string;
  readonly channel?: string;
}

/** The name of the app, into which every package goes. */
const APP = 'harbor';
/** The publications that the pipelines record: packages in the registry, the app for its riders. */
export const CHANNELS = 'latest,production';
/** The number of recorded weeks before and after the migration. */
export const WEEKS = 12;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns the events that the company's pipelines recorded in the `WEEKS` before and after the migration of all six (`moved`, in seconds
 * since 1970). Before it, a change was published with its package, and the app upgraded to that and was released. After it, the change is
 * released with the app.
 */
export function pipelineEvents(moved: number): readonly PipelineEvent[] {
  const dice = new Dice(2026);
  const span = WEEKS * 7 * DAY;
  const deployments = timesBetween({ from: moved - span, until: moved + span, every: 2 * DAY, dice });
  return Object.entries(SOURCE_FOLDERS).flatMap(([name, folder]) => {
    const merges = timesBetween({ from: moved - span, until: moved + span, every: 3 * DAY, dice });
    const releases = releasesOf({ from: moved - span, until: moved, dice, deployments });
    return merges.flatMap((merged, at) => {
      const change: MergedChange = { name, merged, tested: merged + (8 + dice.below(20)) * MINUTE, id: `${folder}-${at}` };
      return merged < moved ? alone(change, folder, releases) : together(change, deployments);
    });
  });
}

interface MergedChange {
  readonly name: string;
  readonly merged: number;
  readonly tested: number;
  readonly id: string;
}

/** A release of a package, and when the app upgraded to it and was deployed. */
interface Release {
  readonly at: number;
  readonly opened: number;
  readonly upgraded: number;
  readonly deployed: number;
}

interface Rhythm {
  readonly from: number;
  readonly until: number;
  readonly dice: Dice;
}

/** Returns times about `every` seconds apart, at irregular intervals. */
function timesBetween({ from, until, every, dice }: Rhythm & { readonly every: number }): readonly number[] {
  const times: number[] = [];
  for (let at = from + dice.below(every); at < until; at += Math.round(every / 2) + dice.below(every)) times.push(at);
  return times;
}

function releasesOf({ deployments, ...rhythm }: Rhythm & { readonly deployments: readonly number[] }): readonly Release[] {
  const { dice } = rhythm;
  return timesBetween({ ...rhythm, every: 5 * DAY }).map((at) => {
    const opened = at + (1 + dice.below(24)) * HOUR;
    const upgraded = opened + (2 + dice.below(60)) * HOUR;
    return { at, opened, upgraded, deployed: firstAfter(deployments, upgraded) ?? upgraded };
  });
}

/**
 * Returns the events of a change in a separate repository: a release of the package, an upgrade, a release of the app. A change without a
 * later release is not published yet.
 */
function alone(change: MergedChange, folder: string, releases: readonly Release[]): readonly PipelineEvent[] {
  const release = releases.find(({ at }) => at >= change.tested);
  if (release === undefined) return [];
  const { at, opened, upgraded, deployed } = release;
  const event = eventsOf(change, folder);
  return [
    event('merge-wait', [change.merged, change.merged]),
    event('post-merge-tests', [change.merged, change.tested]),
    event('publish', [at, at + 4 * MINUTE], { release: `${change.name} ${at}`, channel: 'latest' }),
    event('upgrade-open', [at + 4 * MINUTE, opened], { consumer: APP }),
    event('upgrade-tests', [opened, opened + 25 * MINUTE], { consumer: APP }),
    event('upgrade-merge', [opened + 25 * MINUTE, upgraded], { consumer: APP }),
    event('publish', [deployed, deployed + 9 * MINUTE], { consumer: APP, release: `${APP} ${deployed}`, channel: 'production' }),
  ];
}

/** Returns the events of a change in the monorepo: it is deployed with the app. */
function together(change: MergedChange, deployments: readonly number[]): readonly PipelineEvent[] {
  const deployed = firstAfter(deployments, change.tested);
  if (deployed === undefined) return [];
  const event = eventsOf(change, APP);
  return [
    event('merge-wait', [change.merged, change.merged]),
    event('post-merge-tests', [change.merged, change.tested]),
    event('publish', [deployed, deployed + 9 * MINUTE], { release: `${APP} ${deployed}`, channel: 'production' }),
  ];
}

type EventMaker = (stage: string, times: readonly [from: number, to: number], more?: Partial<PipelineEvent>) => PipelineEvent;

function eventsOf({ name, id }: MergedChange, repo: string): EventMaker {
  return (stage, [from, to], more = {}) => ({
    schemaVersion: 1,
    id: `${id} ${stage} ${more.consumer ?? ''}`,
    change: id,
    repo,
    package: name,
    stage,
    attempt: 1,
    startedAt: from * 1e6,
    endedAt: to * 1e6,
    recordedAt: to * 1e6,
    outcome: 'success',
    actor: 'person',
    source: 'ci',
    confidence: 'exact',
    ...more,
  });
}

function firstAfter(times: readonly number[], moment: number): number | undefined {
  return times.find((time) => time >= moment);
}
