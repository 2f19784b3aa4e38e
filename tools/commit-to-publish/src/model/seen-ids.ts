import type { Event } from './event.js';
import { keyTextOf } from './event-key.js';

/** An event that has the id of one before it and is not the same. `other event`: it has another key, so both count. `other content`: of the two the one that was recorded last counts. */
export interface Clash {
  /** From 1. */
  readonly line: number;
  /** The line of the one before it. */
  readonly first: number;
  readonly id: string;
  readonly kind: 'other event' | 'other content';
}

interface Seen {
  readonly line: number;
  readonly text: string;
}

/** At least so many of the last ids are known, unless their lines are long. */
const REMEMBERED = 50_000;
/** In characters: what is held must not grow with the length of lines. */
const LONGEST = 32e6;

/** Finds ids that are given twice among the last ones; what it holds does not grow with their number. */
export class SeenIds {
  private recent = new Map<string, Seen>();
  private older: ReadonlyMap<string, Seen> = new Map();
  private length = 0;

  /** Takes note of an event and the text of its line. `same`: it was sent before as it is, which is no clash. */
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
