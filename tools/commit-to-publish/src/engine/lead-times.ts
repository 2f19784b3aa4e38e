import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { Stage } from '../model/stage.js';
import { type Dialect, DUCKDB } from './dialect.js';
import { quote } from './sql.js';

/**
 * Returns the query for the lead times of all changes in the table `event`. Reports and `explain` share this only definition of lead time.
 *
 * A row is a change, a package and, if the question ends with a consumer, a consumer. Merge, publication, and opening and merge of the
 * upgrade are firm moments. The other stages are cut to lie between them: tests that run again a week after the publication are not part of
 * it. A stage whose end is earlier than the previous one took no time. Of several publications that count, the first is the end.
 *
 * Columns: `repo`, `change`, `package`, `consumer` (null if the question ends with the publication), `team`, `actor`, `url`, `release` with
 * the moment of its publication (`out_at`), `ready_at`, `ended_at`, and the length of each stage, named by `stageColumn` (null if the stage
 * is unknown). Times and lengths are BIGINT, in microseconds.
 */
export function leadTimesQuery(question: LeadTimeQuestion): string {
  return withMoments(question, leadTimesFrom(question));
}

/** Returns the same query, for use when `momentTables` already exist as tables. */
export function leadTimesFrom(question: LeadTimeQuestion): string {
  const { ready, until } = question;
  const isUpgrade = until !== 'published';
  const moment = ready === 'approved' ? 'approved' : 'merged';
  const begin = `
    select *, ${moment} as ready_at, ${moment} as t0
    from of_package ${isUpgrade ? 'join of_consumer using (repo, change, package)' : ''}
    where ${requiredMoments(until)
      .map(({ at }) => `${at} is not null`)
      .join(' and ')}`;
  const marks = marksOf(question);
  const chained = [...marks.keys()].reduce((before, index) => walk(before, marks, index), begin);
  return `
    select ${endColumns(question)}, actor, url, ${marks.map(({ column }) => column).join(', ')}
    from (${chained}) walked`;
}

/**
 * Returns the query for the ends of lead times only: `repo`, `change`, `package`, `consumer`, `team`, `release`, `out_at`, `ready_at`,
 * `ended_at`. The database can skip most events.
 */
export function endsFrom(question: LeadTimeQuestion): string {
  return `select ${END_COLUMNS} from (${leadTimesFrom(question)}) whole`;
}

/** `stages`: all moments; `ends`: only those that the ends of lead times need. */
export type Moments = 'stages' | 'ends';

interface MomentTable {
  readonly name: 'of_package' | 'of_consumer';
  readonly query: string;
}

/**
 * Returns queries for the moments of every change, package and consumer. They take most of the time, so several questions to their tables
 * cost little more than one. Reads `event`, or another `source` with its columns.
 */
export function momentTables(
  { until, channels }: LeadTimeQuestion,
  { moments, source = 'event', dialect = DUCKDB }: { readonly moments: Moments; readonly source?: string; readonly dialect?: Dialect },
): readonly MomentTable[] {
  const only = moments === 'ends' ? ` and stage in ('merge-wait', 'publish')` : '';
  const ofPackage = { name: 'of_package', query: momentsOfPackage(channels, { only, source, dialect }) } as const;
  const ofConsumer = { name: 'of_consumer', query: momentsOfConsumer(channels, { source, dialect }) } as const;
  return until === 'published' ? [ofPackage] : [ofPackage, ofConsumer];
}

const END_COLUMNS = 'repo, change, package, consumer, team, release, out_at, ready_at, ended_at';

/** Returns expressions for `END_COLUMNS` from moments. */
function endColumns(question: LeadTimeQuestion): string {
  const { until } = question;
  const isReleased = until === 'released';
  // Equals the sum of the stages, but does not need them: a query for the ends alone skips the rest.
  const end = marksOf(question).flatMap(({ kind, at }) => (kind === 'firm' ? [at] : []));
  return `repo, change, package, ${until === 'published' ? NO_TEXT : 'consumer'} as consumer, team, ${isReleased ? 'consumer_release' : 'own_release'} as release,
      ${isReleased ? 'released' : 'published'} as out_at, ready_at, greatest(ready_at, ${end.join(', ')}) as ended_at`;
}

/** A null of type text: each database has its own name for that type. */
const NO_TEXT = `nullif('', '')`;

function withMoments(question: LeadTimeQuestion, query: string): string {
  const tables = momentTables(question, { moments: 'stages' }).map(({ name, query: found }) => `${name} as (${found})`);
  return `with ${tables.join(', ')} ${query}`;
}

/** A moment without which there is no lead time. */
interface RequiredMoment {
  /** A column. */
  readonly at: string;
  /** An expression: the reason why there is no lead time if the moment is unknown, as `Unfinished`. */
  readonly why: string;
}

/** Returns the moments in the order in which a change reaches them. */
function requiredMoments(until: LeadTimeQuestion['until']): readonly RequiredMoment[] {
  const published = [
    { at: 'merged', why: `'not merged'` },
    { at: 'published', why: `case when is_unmeasured then 'not measured' else 'not published' end` },
  ];
  const upgraded = [...published, { at: 'upgraded', why: `'not upgraded'` }];
  const released = [...upgraded, { at: 'released', why: `case when is_release_unmeasured then 'not measured' else 'not released' end` }];
  return { published, upgraded, released }[until];
}

/**
 * Returns the query for what `leadTimesQuery` leaves out: `repo`, `change`, `package`, `consumer`, `merged` (null without a merge), and
 * `why` there is no lead time, as `Unfinished`.
 */
export function unfinishedQuery(question: LeadTimeQuestion): string {
  const { until } = question;
  const reasons = requiredMoments(until).map(({ at, why }) => `when ${at} is null then ${why}`);
  return withMoments(
    question,
    `
    select repo, change, package, ${until === 'published' ? `${NO_TEXT} as consumer` : 'consumer'}, merged, case ${reasons.join(' ')} end as why
    from (select distinct repo, change, package from event) left join of_package using (repo, change, package)
      ${until === 'published' ? '' : 'left join of_consumer using (repo, change, package)'}
    where why is not null`,
  );
}

/**
 * Returns the query for all events with two more columns.
 * `is_evidence`: whether the event can define a stage; of publications, only the first that counts and the failed attempts before it.
 * `is_elsewhere`: whether it is a publication of the package on a channel that does not count.
 */
export function evidenceQuery({ channels }: Pick<LeadTimeQuestion, 'channels'>): string {
  const first = `min(endedAt) filter (${counts(channels)}) over (partition by repo, change, package, consumer)`;
  const isOfFirst = `case outcome when 'success' then endedAt = first_at when 'unmeasured' then false else coalesce(endedAt <= first_at, true) end`;
  return `
    select * exclude (first_at), stage <> 'publish' or (${isOn(channels)} and ${isOfFirst}) as is_evidence,
      ${IS_PUBLICATION} and channel is not null and not ${isOn(channels)} as is_elsewhere
    from (select *, ${first} as first_at from event)`;
}

/**
 * Returns the query for all changes that were ready, arrived or not: `repo`, `change`, `package`, `team`, `actor`, `ready_at`, and
 * `is_unmeasured`.
 * `is_unmeasured`: a first publication contained the change, so it waits for nothing more, although it may have arrived elsewhere.
 * It includes only packages that were published on a channel that counts and, if the question ends with a consumer, have one in the record.
 * Changes of other packages, such as an unpublished application, wait for nothing.
 */
export function readyQuery(question: LeadTimeQuestion): string {
  return withMoments(question, readyFrom(question, OUT_PACKAGES));
}

/**
 * Returns the same query, for use when `momentTables` already exist as tables. `outPackages` is a table or query of the packages published
 * on a channel that counts, by `repo` and `package`.
 */
export function readyFrom(question: LeadTimeQuestion, outPackages: string): string {
  const { ready, until } = question;
  const moment = ready === 'approved' ? 'approved' : 'merged';
  const consumed =
    until === 'published'
      ? ''
      : ` and exists (select 1 from of_consumer other where other.repo = of_package.repo and other.package = of_package.package)`;
  return `
    select repo, change, package, team, actor, ${moment} as ready_at, ${unmeasuredFrom(question)} as is_unmeasured
    from of_package join ${outPackages} out_package using (repo, package) where merged is not null${consumed}`;
}

const OUT_PACKAGES = '(select distinct repo, package from of_package where published is not null or is_unmeasured)';

/** Returns a condition for a row of `of_package`: true if a first publication contained its change, so that it waits for nothing more. */
function unmeasuredFrom({ until }: Pick<LeadTimeQuestion, 'until'>): string {
  const ofConsumer = `exists (select 1 from of_consumer other where other.repo = of_package.repo and other.change = of_package.change and other.package = of_package.package and other.is_release_unmeasured)`;
  return until === 'released' ? `(is_unmeasured or ${ofConsumer})` : 'is_unmeasured';
}

/** Returns the name of the column with the length of a stage. */
export function stageColumn(stage: Stage, whose: 'package' | 'consumer'): string {
  return `${whose === 'consumer' && stage.startsWith('publish') ? 'consumer_' : ''}${stage.replaceAll('-', '_')}`;
}

/** A stage, with the column of its length. */
interface StageColumn {
  readonly stage: Stage;
  readonly whose: 'package' | 'consumer';
  readonly column: string;
}

/** Returns the stages that a lead time may have, in order, with the columns of `leadTimesQuery`. */
export function stageColumnsOf(question: Pick<LeadTimeQuestion, 'ready' | 'until'>): readonly StageColumn[] {
  return marksOf(question).map(({ stage, whose, column }) => ({ stage, whose, column }));
}

/** The end of a stage. `firm`: the moment is certain. `soft`: the moment is cut to be no later than the next firm one. */
interface Mark extends StageColumn {
  /** A column. */
  readonly at: string;
  readonly kind: 'firm' | 'soft';
}

function marksOf({ ready, until }: Pick<LeadTimeQuestion, 'ready' | 'until'>): readonly Mark[] {
  const own = ofWhom('package');
  const ofConsumer = ofWhom('consumer');
  const beforeMerge = [own('pr-tests', 'soft', 'pr_tested'), own('merge-wait', 'firm', 'merged')];
  const publication = [
    own('post-merge-tests', 'soft', 'tested'),
    own('publish-wait', 'soft', 'publish_begun'),
    own('publish', 'firm', 'published'),
  ];
  const upgrade = [
    ofConsumer('upgrade-open', 'firm', 'opened'),
    ofConsumer('upgrade-tests', 'soft', 'upgrade_tested'),
    ofConsumer('upgrade-merge', 'firm', 'upgraded'),
  ];
  const release = [ofConsumer('publish-wait', 'soft', 'release_begun'), ofConsumer('publish', 'firm', 'released')];
  return [
    ...(ready === 'approved' ? beforeMerge : []),
    ...publication,
    ...(until === 'published' ? [] : upgrade),
    ...(until === 'released' ? release : []),
  ];
}

function ofWhom(whose: StageColumn['whose']): (stage: Stage, kind: Mark['kind'], at: string) => Mark {
  return (stage, kind, at) => ({ stage, whose, column: stageColumn(stage, whose), at, kind });
}

/**
 * Wraps a query in one more for each stage, with `t1`, `t2`, … as the moments at which stages end.
 * In a single query, a column that refers to another would be expanded, and grow with every stage. An unknown moment leaves the time
 * unchanged; `greatest` and `least` of DuckDB would ignore the null.
 */
function walk(before: string, marks: readonly Mark[], index: number): string {
  const mark = marks[index];
  if (mark === undefined) return before;
  const firmAfter = marks.slice(index + 1).filter(({ kind }) => kind === 'firm');
  const end = mark.kind === 'firm' ? mark.at : `least(${mark.at}, coalesce(${firmAfter.map(({ at }) => at).join(', ')}))`;
  return `
    select *, case when ${mark.at} is null then t${index} else greatest(t${index}, ${end}) end as t${index + 1},
      case when ${mark.at} is not null then greatest(0, ${end} - t${index}) end as ${mark.column}
    from (${before}) step${index}`;
}

interface MomentSource {
  /** A condition on events to append, beginning with `and`. */
  readonly only?: string;
  readonly source: string;
  readonly dialect: Dialect;
}

function momentsOfPackage(channels: ReadonlySet<string>, { only = '', source, dialect }: MomentSource): string {
  return `
      select repo, change, package, min(team) filter (where stage in ('merge-wait', 'publish')) as team, min(actor) as actor, min(url) as url,
        min(startedAt) filter (where stage = 'merge-wait') as approved, ${last('merge-wait')} as merged,
        ${last('pr-tests')} as pr_tested, ${last('post-merge-tests')} as tested, ${firstPublication(channels, { ended: 'published', begun: 'publish_begun', dialect })},
        ${firstRelease(channels, dialect)} as own_release, coalesce(bool_or(${isFirstEver(channels)}), false) as is_unmeasured
      from ${source} where consumer is null${only} group by repo, change, package`;
}

function momentsOfConsumer(channels: ReadonlySet<string>, { source, dialect }: MomentSource): string {
  return `
      select repo, change, package, consumer,
        ${last('upgrade-open')} as opened, ${last('upgrade-tests')} as upgrade_tested,
        max(endedAt) filter (where stage = 'upgrade-merge' and outcome = 'success') as upgraded, ${firstPublication(channels, { ended: 'released', begun: 'release_begun', dialect })},
        ${firstRelease(channels, dialect)} as consumer_release, coalesce(bool_or(${isFirstEver(channels)}), false) as is_release_unmeasured
      from ${source} where consumer is not null group by repo, change, package, consumer`;
}

function last(stage: Stage): string {
  return `max(endedAt) filter (where stage = '${stage}')`;
}

/** Separate columns, so that a query for the end alone skips the rest. */
function firstPublication(
  channels: ReadonlySet<string>,
  { ended, begun, dialect }: { readonly ended: string; readonly begun: string; readonly dialect: Dialect },
): string {
  const start = dialect.pick('first', { value: 'startedAt', order: ['endedAt', RELEASE], where: counts(channels) });
  return `min(endedAt) filter (where ${counts(channels)}) as ${ended}, ${start} as ${begun}`;
}

/** The first publication that counts; of several at the same moment the first by name, so that the order of events does not matter. */
function firstRelease(channels: ReadonlySet<string>, dialect: Dialect): string {
  return `nullif(${dialect.pick('first', { value: RELEASE, order: ['endedAt'], where: counts(channels) })}, '')`;
}

const RELEASE = `coalesce(release, '')`;

function counts(channels: ReadonlySet<string>): string {
  return `stage = 'publish' and outcome = 'success' and ${isOn(channels)}`;
}

function isFirstEver(channels: ReadonlySet<string>): string {
  return `stage = 'publish' and outcome = 'unmeasured' and ${isOn(channels)}`;
}

/** Returns a condition for an event: true if it publishes its package on a channel that counts, even for the first time. */
export function isOut(channels: ReadonlySet<string>): string {
  return `${IS_PUBLICATION} and ${isOn(channels)}`;
}

/** A condition for an event: true if it publishes the package, on any channel. */
const IS_PUBLICATION = `stage = 'publish' and outcome in ('success', 'unmeasured') and consumer is null`;

/** Returns a condition for an event: true if its channel counts. */
export function isOn(channels: ReadonlySet<string>): string {
  const counted = [...channels].map(quote).join(', ');
  return `coalesce(channel, '') in (${counted === '' ? 'null' : counted})`;
}
