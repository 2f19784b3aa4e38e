import { readObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { ComparisonQuestion } from '../report/comparison.js';
import type { ComparisonDetails, SideChange } from '../report/comparison-details.js';
import type { SideQuestion } from '../report/side.js';
import type { Database } from './database.js';
import { openClone } from './open-clone.js';
import { changeIn } from './read-details.js';
import { arrivedQuery } from './read-side.js';

/** What the table `event` has for the page of a comparison. */
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

/** The first lines of the messages of commits, as far as a clone has them: the record keeps none. */
export async function readSubjects(
  folder: AbsolutePath,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { git } = await openClone(folder, signal);
  const ids = [...new Set(commits)].filter((id) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
  const there = await git.attempt(['rev-list', '--no-walk', '--ignore-missing', ...ids]);
  const known =
    there.exit === 0
      ? there.stdout
          .toString('utf8')
          .split('\n')
          .filter((id) => id !== '')
      : [];
  const found = await readObjects(git, known as readonly string[] as readonly ObjectId[]);
  return new Map(found.map(({ id, content }) => [id as string, /\n\n([^\n]*)/.exec(content.toString('utf8'))?.[1] ?? '']));
}
