import { EVENT_COLUMNS } from '../engine/event-columns.js';
import type { Event } from '../model/event.js';
import type { DatabaseRow } from './database.js';

/** Converts a row of the record to the event as it was recorded; null columns become missing fields. */
export function asEvent(row: DatabaseRow): Event {
  const fields = Object.keys(EVENT_COLUMNS).flatMap((key) => {
    const value = row[key];
    return value === null || value === undefined ? [] : [[key, typeof value === 'bigint' ? Number(value) : value]];
  });
  return { schemaVersion: 1, ...Object.fromEntries(fields) } as Event;
}
