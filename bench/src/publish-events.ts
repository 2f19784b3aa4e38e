import { REQUIRED_COLUMNS } from '@tributary/commit-to-publish/engine/event-columns';
import type { Database } from '@tributary/commit-to-publish/io/database';
import { WEEK } from '@tributary/commit-to-publish/report/question';

// Events of a monorepo with 70 packages over two years. Each change has five events and takes some hours to some days from merge to
// publication; a release has twenty changes.

export const PACKAGES = 70;
export const WEEKS = 104;
/** A Monday. */
export const FIRST = Date.UTC(2024, 0, 1) * 1000;

/** Writes NDJSON as delivered from elsewhere, ordered by time: a line has no field without a value. */
export async function writeDelivery(database: Database, file: string, events: number): Promise<void> {
  const all = eventsQuery(events / 5);
  const line = `case stage when 'publish' then to_json(event) else to_json(struct_pack(${REQUIRED.map((name) => `${name} := event.${name}`).join(', ')})) end`;
  await database.run(
    `copy (select ${line} from (${all}) event) to '${file}' (format csv, header false, quote '', escape '', delimiter '\t')`,
  );
}

const REQUIRED = ['schemaVersion', ...REQUIRED_COLUMNS] as const;

/** Returns the query for the events. They end at the same time, however many there are. */
function eventsQuery(changes: number): string {
  const moment = `(${FIRST} + x * (${WEEKS}.0 * ${WEEK} / ${changes}))::bigint`;
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
