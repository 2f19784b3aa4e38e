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
  readonly key: number;
  readonly content: number;
}

/** At least so many of the last ids are known. */
const REMEMBERED = 100_000;

/** Finds ids that are given twice among the last ones; what it holds does not grow with their number. */
export class SeenIds {
  private recent = new Map<string, Seen>();
  private older: ReadonlyMap<string, Seen> = new Map();

  /** Takes note of an event and the text of its line. `same`: it was sent before as it is, which is no clash. */
  see(event: Event, text: string, line: number): Clash | 'same' | undefined {
    const { id } = event;
    const before = this.recent.get(id) ?? this.older.get(id);
    const now = { line, key: hashOf(keyTextOf(event)), content: hashOf(text) };
    if (before === undefined) return this.remember(id, now);
    if (before.content === now.content) return 'same';
    return { line, first: before.line, id, kind: before.key === now.key ? 'other content' : 'other event' };
  }

  private remember(id: string, seen: Seen): undefined {
    if (this.recent.size === REMEMBERED) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(id, seen);
  }
}

/** FNV-1a, 32 bits: what it takes for a difference is one, but for one of four thousand million. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
