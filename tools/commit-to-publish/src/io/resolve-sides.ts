import { ToolError } from '@tributary/model/errors';
import { quote } from '../engine/sql.js';
import type { Micros } from '../model/event.js';
import { listNames } from '../report/list-names.js';
import type { SideQuestion } from '../report/side.js';
import type { Database } from './database.js';

/** A side whose period may be open: then it is the whole period of the record. */
export interface OpenSideQuestion extends Omit<SideQuestion, 'since' | 'until'> {
  readonly since: Micros | undefined;
  readonly until: Micros | undefined;
}

/** Returns the side with its period. Throws `NOT_RECORDED` for an unknown repository or package. */
export async function resolveSide(database: Database, side: OpenSideQuestion): Promise<SideQuestion> {
  await checkNames(database, 'repo', side.repos);
  await checkNames(database, 'package', side.packages);
  if (side.since !== undefined && side.until !== undefined) return { ...side, since: side.since, until: side.until };
  const ofRepos = side.repos.length === 0 ? 'true' : `repo in (${side.repos.map(quote).join(', ')})`;
  const [row] = await database.rows(`select min(endedAt) as first, max(endedAt) + 1 as last from event where ${ofRepos}`);
  const [since, until] = [side.since ?? (Number(row?.['first'] ?? 0) as Micros), side.until ?? (Number(row?.['last'] ?? 1) as Micros)];
  return { ...side, since, until: Math.max(until, since + 1) as Micros };
}

const KINDS = { repo: 'repository', package: 'package' } as const;
const SHOWN = 8;

/** Throws `NOT_RECORDED` for an unknown name, with the known ones in the hint. */
export async function checkNames(database: Database, kind: keyof typeof KINDS, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const rows = await database.rows(`select distinct ${kind} as name from event order by name`);
  const known = rows.map(({ name }) => String(name));
  const stray = names.find((name) => !known.includes(name));
  if (stray === undefined) return;
  throw new ToolError({
    code: 'NOT_RECORDED',
    message: `The record has no ${KINDS[kind]} ${stray}.`,
    hint: known.length === 0 ? 'Record something first: "commit-to-publish collect".' : `It has ${listNames(known, SHOWN)}.`,
    data: { [kind]: stray },
  });
}

/** Returns the repositories in which the record has changes of some packages, sorted by name. */
export async function reposOf(database: Database, packages: readonly string[]): Promise<readonly string[]> {
  const rows = await database.rows(`
    select distinct repo from event where consumer is null and package in (${packages.map(quote).join(', ')}) order by repo`);
  return rows.map(({ repo }) => String(repo));
}
