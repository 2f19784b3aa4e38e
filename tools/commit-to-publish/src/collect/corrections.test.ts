import { expect, test } from '@jest/globals';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import { correctionsOf } from './corrections.js';
import { idOf, keyOf } from './event-id.js';

const NOW = (Date.UTC(2026, 5, 1) * 1000) as Micros;

function event(more: Partial<Event> = {}): Event {
  const facts = { ...eventNumber(1), source: 'git', confidence: 'derived', release: '1.0.0', ...more } as const;
  return { ...facts, id: idOf(facts) };
}

/** Returns what happens to a recorded event if the sources now say `now`. */
function becomes(recorded: Event, now: Event | undefined, couldCollect = true): string {
  const collected = new Map(now === undefined ? [] : [[keyOf(now), now]]);
  const { retractions, revisions, again, kept } = correctionsOf([recorded], { collected, couldCollect: () => couldCollect, now: NOW });
  const key = keyOf(recorded);
  return [
    ...retractions.map(({ outcome, revision }) => `${outcome} ${revision}`),
    ...(kept.length === 0 ? [] : ['kept']),
    ...(revisions.has(key) ? [`revision ${revisions.get(key)}`] : []),
    ...(again.has(key) ? ['again'] : []),
  ].join(', ');
}

const exact = { confidence: 'exact', source: 'registry' } as const;

test.each<[string, Event, Event | undefined, string]>([
  ['nothing says it any more', event(), undefined, 'retracted 1'],
  ['nothing says it any more, and it took the place of others', event({ revision: 3 }), undefined, 'retracted 4'],
  ['it was retracted, and is still untrue', event({ outcome: 'retracted', revision: 1 }), undefined, ''],
  ['it was retracted, and is true again', event({ outcome: 'retracted', revision: 1 }), event(), 'revision 2, again'],
  ['it is as it was', event(), event(), ''],
  ['it is as it was, and took the place of others', { ...event(), revision: 2 }, event(), 'revision 2'],
  ['it is otherwise, which counts by itself', event(), event({ release: '1.1.0' }), ''],
  ['it is otherwise, and took the place of others', { ...event(), revision: 2 }, event({ release: '1.1.0' }), 'revision 3, again'],
  ['somebody saw another publication', event(exact), event({ release: '1.1.0' }), 'revision 1, again'],
  ['somebody saw the same, and more exactly', event(exact), event({ endedAt: NOW }), ''],
])('%s', (_, recorded, now, expected) => {
  expect(becomes(recorded, now)).toBe(expected);
});

test('who cannot know it takes nothing back', () => {
  expect(becomes(event(), undefined, false)).toBe('kept');
});
