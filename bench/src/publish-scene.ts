import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIRED_COLUMNS } from '@tributary/commit-to-publish/engine/event-columns';
import { compactRecord } from '@tributary/commit-to-publish/io/compact';
import type { Database } from '@tributary/commit-to-publish/io/database';
import { WEEK } from '@tributary/commit-to-publish/report/question';
import type { AbsolutePath } from '@tributary/model/paths';

/**
 * Events of a monorepo with 70 packages over two years. Each change has five events and takes some hours to some days from merge to
 * publication; a release has twenty changes.
 */
export interface PublishScene {
  readonly record: AbsolutePath;
  readonly events: number;
}

export const PACKAGES = 70;
export const WEEKS = 104;
/** A Monday. */
export const FIRST = Date.UTC(2024, 0, 1) * 1000;

/** The number of changes in a segment, which `ingest` would make about as large. */
const CHANGES = 1_000_000;

/** Writes the journal with DuckDB, and compacts it as `commit-to-publish compact` does. */
export async function makeScene(database: Database, record: AbsolutePath, events: number, weeks = WEEKS): Promise<PublishScene> {
  rmSync(record, { recursive: true, force: true });
  mkdirSync(join(record, 'journal'), { recursive: true });
  const changes = events / 5;
  for (let from = 0, segment = 0; from < changes; from += CHANGES, segment++) {
    const file = join(record, 'journal', `1-${String(segment).padStart(8, '0')}.ndjson`);
    const part = { from, to: Math.min(changes, from + CHANGES) };
    await writeEvents(database, file, eventsQuery(changes, { weeks, ...part }));
  }
  await compactRecord(database, record);
  return { record, events };
}

/** Writes NDJSON in which missing fields are null, which only a journal may have. */
async function writeEvents(database: Database, file: string, query: string): Promise<void> {
  await database.run(`copy (${query}) to '${file}' (format json)`);
}

/** Writes NDJSON as delivered from elsewhere, ordered by time: a line has no field without a value. */
export async function writeDelivery(database: Database, file: string, events: number): Promise<void> {
  const all = eventsQuery(events / 5);
  const line = `case stage when 'publish' then to_json(event) else to_json(struct_pack(${REQUIRED.map((name) => `${name} := event.${name}`).join(', ')})) end`;
  await database.run(
    `copy (select ${line} from (${all}) event) to '${file}' (format csv, header false, quote '', escape '', delimiter '\t')`,
  );
}

const REQUIRED = ['schemaVersion', ...REQUIRED_COLUMNS] as const;

/** Returns the query for the trailing percentiles of every package, written for data in which every event occurs once. */
export function plainQuery(files: string): string {
  return `
    with path as (
      select package, max(endedAt) filter (stage = 'publish') as ended, max(endedAt) filter (stage = 'merge-wait') as merged
      from read_parquet('${files}') group by repo, change, package
    ), timed as (select package, (ended - ${FIRST}) // ${WEEK}::bigint as week, (ended - merged)::double as total from path where ended is not null),
    weeks as (select unnest(range(${WEEKS})) as week)
    select package, weeks.week, count(*) as n, quantile_cont(total, [0.5, 0.9]) as percentiles
    from timed join weeks on timed.week between weeks.week - 5 and weeks.week group by all order by all`;
}

/** Which of the changes, over how many weeks. */
interface Part {
  readonly weeks?: number;
  readonly from?: number;
  readonly to?: number;
}

/** Returns the query for the events. They end at the same time, whatever the length of the record. */
function eventsQuery(changes: number, { weeks = WEEKS, from = 0, to = changes }: Part = {}): string {
  const moment = `(${FIRST + (WEEKS - weeks) * WEEK} + x * (${weeks}.0 * 604800e6 / ${changes}))::bigint`;
  // Between 10 minutes and 33 hours for a stage.
  const length = 'exp(5.3 * (hash(x + 1) % 1000000) / 1e6) * 600e6';
  return `
    with change as (select x, ${moment} as merged, ${length} as length from range(${from}, ${to}) numbers(x)),
    stage as (select *, unnest(['pr-tests', 'merge-wait', 'post-merge-tests', 'publish-wait', 'publish']) as name, unnest([-2, -1, 0, 1, 2]) as place from change)
    select 1 as schemaVersion, x || '-' || name as id, 'acme/mono' as repo, md5(x::varchar) as change, '@acme/package-' || (hash(x) % ${PACKAGES}) as package,
      name as stage, 1 as attempt, (merged + place * length)::bigint as startedAt, (merged + (place + 1) * length)::bigint as endedAt, 'success' as outcome,
      'person' as actor, 'ci' as source, 'exact' as confidence, (merged + 9 * length)::bigint as recordedAt,
      if(name = 'publish', 'release ' || (x // 20), null) as release, if(name = 'publish', 'latest', null) as channel
    from stage`;
}
