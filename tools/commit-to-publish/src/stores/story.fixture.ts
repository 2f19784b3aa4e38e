import type { Event, Micros } from '../model/event.js';
import type { Stage } from '../model/stage.js';
import { startOfWeek, weekOf } from '../report/question.js';

export const MONDAY = startOfWeek(weekOf((Date.UTC(2026, 0, 5) * 1000) as Micros));
const HOUR = 3600e6;
const CHANGES = 500;

/** Returns a hash of two numbers, from 0 to 1, so that the events are always the same. */
function chance(at: number, what: number): number {
  const mixed = Math.imul(at * 7919 + what * 104729 + 1, 2654435761);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/**
 * Returns eight weeks of two repositories. Changes have one package or two, and wait, are published early, or reach consumers. Some names
 * need quotes in SQL and CSV.
 */
export function storesEvents(): readonly Event[] {
  return Array.from({ length: CHANGES }, (_, at) => {
    const names = chance(at, 1) < 0.2 ? ['@acme/ui', `it's "odd", ünï`] : [['@acme/ui', '@acme/core', 'never-out'][at % 3] ?? ''];
    return names.flatMap((name, part) => eventsOf(at, { name, part }));
  }).flat();
}

function eventsOf(at: number, { name, part }: { readonly name: string; readonly part: number }): readonly Event[] {
  const merged = MONDAY + Math.floor(((at * 8 * 168) / CHANGES) * HOUR);
  const out = MONDAY + Math.ceil((merged - MONDAY + chance(at, 2 + part) * 90 * HOUR) / (20 * HOUR)) * 20 * HOUR;
  const base = { change: `c${at}`, repo: at % 2 === 0 ? 'acme/mono' : 'acme/other', package: name };
  const own = (stage: Stage, from: number, to: number, more: Partial<Event> = {}): Event => ({
    schemaVersion: 1,
    id: `${at} ${part} ${stage} ${more.consumer ?? ''}`,
    ...base,
    stage,
    attempt: 1,
    startedAt: from as Micros,
    endedAt: to as Micros,
    outcome: 'success',
    actor: at % 5 === 0 ? 'bot' : 'person',
    source: 'ci',
    confidence: 'exact',
    recordedAt: to as Micros,
    ...more,
  });
  const team = chance(at, 9) < 0.3 ? {} : { team: at % 4 < 2 ? 'blue' : 'green' };
  const merge = [own('pr-tests', merged - 3 * HOUR, merged - HOUR), own('merge-wait', merged - 2 * HOUR, merged, team)];
  if (name === 'never-out' || chance(at, 5) < 0.1) return merge;
  const outcome = chance(at, 6) < 0.05 ? 'unmeasured' : 'success';
  const channel = chance(at, 7) < 0.1 ? {} : { channel: 'latest' };
  const release = chance(at, 10) < 0.1 ? {} : { release: `v${Math.floor(out / HOUR)}` };
  const published = [
    own('post-merge-tests', merged, merged + HOUR),
    own('publish', out - HOUR / 2, out, { outcome, confidence: chance(at, 11) < 0.1 ? 'at-least' : 'exact', ...channel, ...release }),
  ];
  if (chance(at, 8) < 0.4) return [...merge, ...published];
  const app = { consumer: 'app' };
  const upgraded = [own('upgrade-open', out, out + HOUR, app), own('upgrade-merge', out + HOUR, out + 5 * HOUR, app)];
  return [
    ...merge,
    ...published,
    ...upgraded,
    own('publish', out + 9 * HOUR, out + 10 * HOUR, { ...app, channel: 'latest', release: 'a1' }),
  ];
}
