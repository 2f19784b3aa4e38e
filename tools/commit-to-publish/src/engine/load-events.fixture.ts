import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../io/database.js';
import { loadJournal } from '../io/open-events.js';
import type { Event } from '../model/event.js';

/** Replaces the table `event` with these events. */
export async function loadEvents(database: Database, events: readonly Event[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'events-'));
  try {
    const file = join(folder, 'events.ndjson');
    writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await loadJournal(database, [file]);
    await database.run('create or replace temp view event as from fresh');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
