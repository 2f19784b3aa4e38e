import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compactRecord } from '@tributary/commit-to-publish/io/compact';
import type { Database } from '@tributary/commit-to-publish/io/database';
import type { AbsolutePath } from '@tributary/model/paths';

/** Events of a monorepo with 70 packages over two years: five for each change, some hours to some days from merge to publication, twenty changes a release. */
export interface PublishScene {
  readonly record: AbsolutePath;
  readonly events: number;
  /** How long it took to bring the journal into Parquet. */
  readonly compactedMs: number;
}

export const PACKAGES = 70;
export const WEEKS = 104;
/** A Monday. */
export const FIRST = Date.UTC(2024, 0, 1) * 1000;

/** Writes the journal with DuckDB, and compacts it as `commit-to-publish compact` does. */
export async function makeScene(database: Database, record: AbsolutePath, events: number): Promise<PublishScene> {
  rmSync(record, { recursive: true, force: true });
  mkdirSync(join(record, 'journal'), { recursive: true });
  await writeEvents(database, join(record, 'journal', '1-00000000.ndjson'), events);
  const from = performance.now();
  await compactRecord(database, record);
  return { record, events, compactedMs: performance.now() - from };
}

/** As NDJSON; what an event does not have is null, which only a journal may say. */
async function writeEvents(database: Database, file: string, events: number): Promise<void> {
  await database.run(`copy (${eventsQuery(events / 5)}) to '${file}' (format json)`);
}

/** As NDJSON that is delivered from elsewhere: without releases, so that every line has all it says. */
export async function writeDelivery(database: Database, file: string, events: number): Promise<void> {
  await database.run(`copy (select * exclude (release, channel) from (${eventsQuery(events / 5)})) to '${file}' (format json)`);
}

function eventsQuery(changes: number): string {
  const moment = `(${FIRST} + x * (${WEEKS}.0 * 604800e6 / ${changes}))::bigint`;
  // Between 10 minutes and 33 hours for a stage.
  const length = 'exp(5.3 * (hash(x + 1) % 1000000) / 1e6) * 600e6';
  return `
    with change as (select x, ${moment} as merged, ${length} as length from range(${changes}) numbers(x)),
    stage as (select *, unnest(['pr-tests', 'merge-wait', 'post-merge-tests', 'publish-wait', 'publish']) as name, unnest([-2, -1, 0, 1, 2]) as place from change)
    select 1 as schemaVersion, x || '-' || name as id, 'acme/mono' as repo, md5(x::varchar) as change, '@acme/package-' || (hash(x) % ${PACKAGES}) as package,
      name as stage, 1 as attempt, (merged + place * length)::bigint as startedAt, (merged + (place + 1) * length)::bigint as endedAt, 'success' as outcome,
      'person' as actor, 'ci' as source, 'exact' as confidence, (merged + 9 * length)::bigint as recordedAt,
      if(name = 'publish', 'release ' || (x // 20), null) as release, if(name = 'publish', 'latest', null) as channel
    from stage`;
}
