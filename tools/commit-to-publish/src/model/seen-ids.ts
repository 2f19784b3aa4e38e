import type { Event } from './event.js';
import { keyTextOf } from './event-key.js';

/**
 * An event with the id of an earlier event and different content.
 * `other event`: the keys differ, so both count. `other content`: the keys are equal, so the one recorded last counts.
 */
export interface Clash {
  /** From 1. */
  readonly line: number;
  /** The line of the earlier event. */
  readonly first: number;
  readonly id: string;
  readonly kind: 'other event' | 'other content';
}

interface Seen {
  readonly line: number;
  readonly text: string;
}

/** The number of ids that are always remembered, unless their lines are long. */
const REMEMBERED = 50_000;
/** In characters. It bounds the memory even if lines are long. */
const LONGEST = 32e6;

/** Finds repeated ids among the last events. Its memory does not grow with the number of events. */
export class SeenIds {
  private recent = new Map<string, Seen>();
  private older: ReadonlyMap<string, Seen> = new Map();
  private length = 0;

  /** Records an event with the text of its line. Returns `same` for an exact repetition, which is no clash. */
  see(event: Event, text: string, line: number): Clash | 'same' | undefined {
    const { id } = event;
    const before = this.recent.get(id) ?? this.older.get(id);
    if (before === undefined) return this.remember(id, { line, text });
    if (before.text === text) return 'same';
    const isSameKey = keyTextOf(JSON.parse(before.text) as Event) === keyTextOf(event);
    return { line, first: before.line, id, kind: isSameKey ? 'other content' : 'other event' };
  }

  private remember(id: string, seen: Seen): undefined {
    if (this.recent.size === REMEMBERED || this.length > LONGEST) {
      this.older = this.recent;
      this.recent = new Map();
      this.length = 0;
    }
    this.recent.set(id, seen);
    this.length += seen.text.length;
  }
}
