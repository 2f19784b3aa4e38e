import { leadTimesQuery, readyQuery, stageColumnsOf } from '../engine/lead-times.js';
import { withReleases } from '../engine/releases.js';
import { isStageBound, isStageUnknown, withBounds } from '../engine/report-queries.js';
import { quote } from '../engine/sql.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { ReachedEnds, SideData, SideFigures, SideQuestion } from '../report/side.js';
import type { Database } from './database.js';

const MONTH = 30 * 24 * 3600e6;

/** Reads one side from the table `event`. */
export async function readSide(database: Database, side: SideQuestion): Promise<SideData> {
  const columns = stageColumnsOf(side.lead);
  const lengths = columns.map(
    ({ column }) =>
      `coalesce(${column}, 0)::double as ${column}, ${isStageBound(column)} as bound_${column}, ${isStageUnknown(column)} as unknown_${column}`,
  );
  const arrived = withBounds(withReleases(`(${arrivedQuery(side)})`, side.lead), side.lead);
  const rows = await database.rows(`select came_with, ${lengths.join(', ')} from (${arrived})`);
  const changes = rows.map((row) => ({
    stages: columns.map(({ column }) => Number(row[column])),
    areBounds: columns.map(({ column }) => row[`bound_${column}`] === true),
    cluster: String(row['came_with']),
  }));
  const countBounds = (at: number): number => changes.filter(({ areBounds }) => areBounds.at(at) === true).length;
  const means = columns.map((_, at) => changes.reduce((sum, { stages }) => sum + (stages[at] ?? 0), 0) / changes.length);
  return {
    changes,
    stages: columns.map(({ column }) => column.replaceAll('_', '-')),
    figures: {
      n: changes.length,
      releases: new Set(changes.map(({ cluster }) => cluster)).size,
      atLeast: countBounds(-1),
      coverage: await readCoverage(database, side),
      upgrades: await readUpgrades(database, side),
      stages: columns.flatMap(({ stage, whose, column }, at) => {
        const isUnknown = rows.some((row) => row[`unknown_${column}`] === true);
        const [mean, atLeast] = [means[at] ?? 0, countBounds(at)];
        return mean > 0 || atLeast > 0 || isUnknown ? [{ stage, whose, mean: isUnknown ? undefined : mean, atLeast }] : [];
      }),
      reached: changes.length === 0 ? await readReached(database, side) : undefined,
    },
  };
}

/** Returns the query for the lead times of one side, with the columns of `leadTimesQuery`. */
export function arrivedQuery(side: SideQuestion): string {
  const { since, until, lead } = side;
  return `select * from (${leadTimesQuery(lead)}) where ended_at >= ${since} and ended_at < ${until}${ofSide(side)}`;
}

async function readCoverage(database: Database, side: SideQuestion): Promise<number | undefined> {
  const { since, until, lead } = side;
  const [row] = await database.rows(`
    with arrived as (select distinct repo, change, package from (${leadTimesQuery(lead)}))
    select count(*) as ready, count(arrived.repo) as arrived
    from (select * from (${readyQuery(lead)}) where ready_at >= ${since} and ready_at < ${until}${ofSide(side)}) ready
    left join arrived using (repo, change, package) where arrived.repo is not null or not is_unmeasured`);
  const ready = Number(row?.['ready'] ?? 0);
  return ready === 0 ? undefined : Number(row?.['arrived']) / ready;
}

/** An upgrade with several changes counts once. */
async function readUpgrades(database: Database, side: SideQuestion): Promise<SideFigures['upgrades']> {
  const { since, until } = side;
  const [row] = await database.rows(`
    select count(distinct (repo, consumer, endedAt)) as merged from event
    where stage = 'upgrade-merge' and outcome = 'success' and endedAt >= ${since} and endedAt < ${until}${ofSide(side)}`);
  const n = Number(row?.['merged'] ?? 0);
  return { n, perMonth: (n * MONTH) / (until - since) };
}

async function readReached(database: Database, side: SideQuestion): Promise<ReachedEnds> {
  const count = (end: LeadTimeQuestion['until']): Promise<number> =>
    database.count(`(${arrivedQuery({ ...side, lead: { ...side.lead, until: end } })})`);
  return { published: await count('published'), upgraded: await count('upgraded'), released: await count('released') };
}

/** Returns a condition to append, or nothing. */
function ofSide({ repos, packages }: SideQuestion): string {
  const among = (column: string, names: readonly string[]): string =>
    names.length === 0 ? '' : ` and ${column} in (${names.map(quote).join(', ')})`;
  return `${among('repo', repos)}${among('package', packages)}`;
}
