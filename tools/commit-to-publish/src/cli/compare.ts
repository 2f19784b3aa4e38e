import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Database } from '../io/database.js';
import { openClone } from '../io/open-clone.js';
import { countOnly } from '../io/open-events.js';
import { readComparison, readComparisonDetails } from '../io/read-comparison.js';
import { namesOf, readImports } from '../io/read-imports.js';
import { type FoundMigrations, isNotHere, readMigrations } from '../io/read-migrations.js';
import { withRecord } from '../io/record.js';
import { type OpenSideQuestion, reposOf, resolveSide } from '../io/resolve-sides.js';
import type { Micros } from '../model/event.js';
import { renderComparison } from '../render/comparison.js';
import { comparisonDocument } from '../render/document.js';
import { formatComparison } from '../render/markdown/comparison.js';
import { formatDay } from '../render/times.js';
import { type ChosenMigration, chooseMigration } from '../report/choose-migration.js';
import type { LeadTimeComparison } from '../report/comparison.js';
import { type ComparisonDetails, slowestOf } from '../report/comparison-details.js';
import type { Migration } from '../report/migration.js';
import { WEEK } from '../report/question.js';
import { VERSION } from '../version.js';
import { warnOfForeignFiles, withoutFuture } from './foreign.js';
import { type MonorepoLocation, warnOfMovesElsewhere, warnOfUnreadableImports } from './monorepo.js';
import { subjectsOf } from './subjects.js';
import { styleOf } from './text-style.js';

/** The requested migration, and the number of weeks on each side of it. */
export interface AskedMigration {
  readonly name: string;
  readonly weeks: number;
}

export interface CompareRequest {
  readonly before: OpenSideQuestion;
  readonly after: OpenSideQuestion;
  readonly migration: AskedMigration | undefined;
  /** Former name of a package -> its current name, as configured. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Package -> the commit that imported it, as configured. */
  readonly moved: Readonly<Record<string, string>>;
  readonly format: 'text' | 'markdown' | 'html' | 'json';
  readonly record: AbsolutePath;
  readonly monorepo: MonorepoLocation;
}

/** Throws `NOT_RECORDED`, `IMPORT_NOT_FOUND`, and the errors of `withRecord` and `readMigrations`. */
export async function runCompare(request: CompareRequest, services: Services): Promise<void> {
  const { ui, clock } = services;
  const { format, record, migration } = request;
  warnOfForeignFiles(record, ui);
  const moved = migration === undefined ? undefined : await findMove(migration, request, services);
  const read = async (database: Database): Promise<ComparedRecord> => {
    const asked = moved === undefined ? request : await aroundMove(database, request, { ...moved, now: (clock() * 1000) as Micros });
    const [before, after] = [await resolveSide(database, asked.before), await resolveSide(database, asked.after)];
    await countOnly(database, before.lead.changes);
    const comparison = await readComparison(database, { before, after });
    return { comparison, changes: format === 'html' ? await readComparisonDetails(database, comparison.question) : undefined };
  };
  const { comparison, changes } = await withRecord(record, read, withoutFuture(services));
  if (format === 'json') ui.document(comparisonDocument(comparison, moved?.move));
  else if (changes !== undefined) await writePage({ comparison, changes, move: moved?.move }, request, services);
  else if (format === 'markdown') ui.markdown(formatComparison(comparison, moved?.move));
  else ui.page(renderComparison(comparison, moved?.move, styleOf(ui)));
}

interface ComparedRecord {
  readonly comparison: LeadTimeComparison;
  /** Only for a page. */
  readonly changes: Pick<ComparisonDetails, 'before' | 'after'> | undefined;
}

interface PageWork extends ComparedRecord {
  readonly changes: NonNullable<ComparedRecord['changes']>;
  readonly move: ChosenMigration | undefined;
}

/** Loads the code that draws charts, which nothing else needs. */
async function writePage({ comparison, changes, move }: PageWork, { monorepo }: CompareRequest, { ui, signal }: Services): Promise<void> {
  const { renderComparisonPage } = await import('../render/html/comparison-page.js');
  const subjects = await subjectsOf([...slowestOf(changes.before), ...slowestOf(changes.after)], monorepo, signal);
  ui.data(renderComparisonPage({ comparison, details: { ...changes, subjects }, move, generator: `commit-to-publish ${VERSION}` }));
}

interface FoundMove {
  readonly move: ChosenMigration;
  readonly found: FoundMigrations;
  readonly weeks: number;
}

async function findMove(
  { name, weeks }: AskedMigration,
  { monorepo, renamed, moved }: Pick<CompareRequest, 'monorepo' | 'renamed' | 'moved'>,
  { ui, signal }: Services,
): Promise<FoundMove> {
  const found = await readMigrations(monorepo.folder, { signal, moved });
  warnOfUnreadableImports(found, ui);
  const { imports } = await readImports(await openClone(monorepo.folder, signal));
  const { nameNow } = namesOf(renamed, imports);
  const missing = found.notHere.find((one) => nameNow(one.package) === nameNow(name));
  const isFound = found.migrations.some((one) => nameNow(one.package) === nameNow(name));
  if (missing !== undefined && !isFound) throw isNotHere(missing);
  warnOfMovesElsewhere(found, ui);
  const migrations = found.migrations.map((one) => ({ ...one, package: nameNow(one.package) }));
  const move = chooseMigration(migrations, nameNow(name));
  warnOfOtherMoves(migrations, move, ui);
  return { move, found, weeks };
}

/** A package that moved in more than once has a time before each move: it is said which of them is compared. */
function warnOfOtherMoves(migrations: readonly Migration[], { packages, landing, at }: ChosenMigration, ui: Services['ui']): void {
  const others = migrations.filter((one) => packages.includes(one.package) && one.landing !== landing);
  for (const other of others)
    ui.warning(
      `${other.package} also moved in on ${formatDay(other.at)} (${short(other.landing)}). This compares the move of ${formatDay(at)} (${short(landing)}).`,
    );
  const [first] = others;
  if (first !== undefined) ui.hint(`For the other one: --migration ${short(first.landing)}.`);
}

function short(id: string): string {
  return id.slice(0, 12);
}

/** Returns the sides of a migration: before it, the packages in their former repositories; after it, those in the monorepo. */
async function aroundMove(
  database: Database,
  { before, after }: Pick<CompareRequest, 'before' | 'after'>,
  { move, found, weeks, now }: FoundMove & { readonly now: Micros },
): Promise<Pick<CompareRequest, 'before' | 'after'>> {
  const { packages, at } = move;
  const here = after.repos.length > 0 ? after.repos : [found.repo];
  const elsewhere = (await reposOf(database, packages)).filter((repo) => !here.includes(repo));
  const there = before.repos.length > 0 ? before.repos : elsewhere;
  if (there.length === 0) throw notBefore(move);
  const span = weeks * WEEK;
  // A period that is not over yet would make upgrades per month look rarer than they are.
  const end = Math.max(at + 1, Math.min(at + span, now)) as Micros;
  return {
    before: { ...before, packages, repos: there, since: (at - span) as Micros, until: at },
    after: { ...after, packages, repos: here, since: at, until: end },
  };
}

function notBefore({ packages, sources }: ChosenMigration): ToolError {
  const where = sources.length === 0 ? '' : ` (${sources.join(', ')})`;
  return new ToolError({
    code: 'NOT_RECORDED',
    message: `The record has no changes of ${packages.join(', ')} from before the move.`,
    hint: `Collect a clone of its source${where} together with its consumer: commit-to-publish collect --repo <clone> --repo <consumer>.`,
    data: { packages, sources },
  });
}
