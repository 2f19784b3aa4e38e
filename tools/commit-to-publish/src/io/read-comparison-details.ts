import type { ComparisonQuestion } from '../report/comparison.js';
import type { ComparisonDetails, SideChange } from '../report/comparison-details.js';
import type { SideQuestion } from '../report/side.js';
import type { Database } from './database.js';
import { changeIn } from './read-details.js';
import { arrivedQuery } from './read-side.js';

/** Reads the details for the page of a comparison from the table `event`. */
export async function readComparisonDetails(
  database: Database,
  { before, after }: ComparisonQuestion,
): Promise<Pick<ComparisonDetails, 'before' | 'after'>> {
  return { before: await readChanges(database, before), after: await readChanges(database, after) };
}

async function readChanges(database: Database, side: SideQuestion): Promise<readonly SideChange[]> {
  const rows = await database.rows(`from (${arrivedQuery(side)}) order by ended_at, repo, change, package, consumer`);
  return rows.map((row) => changeIn(row, Number(row['ended_at']) - Number(row['ready_at'])));
}
