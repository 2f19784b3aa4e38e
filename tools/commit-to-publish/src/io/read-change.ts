import { ToolError } from '@tributary/model/errors';
import { shellWord } from '@tributary/model/shell-word';
import { isReverted } from '../collect/apart.js';
import { isDeparture } from '../collect/departures.js';
import { evidenceQuery } from '../engine/lead-times.js';
import { quote } from '../engine/sql.js';
import type { Event } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion } from '../model/lead-time.js';
import type { ExplainedChange, ExplainedTarget, LeadTimeTarget } from '../report/explanation.js';
import { listNames } from '../report/list-names.js';
import { asEvent } from './as-event.js';
import type { Database } from './database.js';
import { readLeadTimes } from './read-lead-times.js';
import { checkNames } from './resolve-sides.js';

interface ChangeQuestion {
  /** As the user names it; see `findChanges`. */
  readonly change: string;
  readonly repo: string | undefined;
  readonly lead: LeadTimeQuestion;
}

/**
 * Returns what the table `event` has about a change. Throws `NOT_RECORDED` for an unknown repository, and `CHANGE_UNKNOWN` if no
 * repository, or more than one, has a change of that name.
 */
export async function readChange(database: Database, question: ChangeQuestion): Promise<ExplainedChange> {
  const { lead } = question;
  await checkNames(database, 'repo', question.repo === undefined ? [] : [question.repo]);
  const found = await findChanges(database, question);
  const [first] = found;
  if (first === undefined || found.length > 1) throw unknown(question, found);
  const events = await readEvidence(database, first, lead);
  return { lead, ...first, targets: await readTargets(database, { change: first, lead, events }) };
}

type FoundChange = Pick<ExplainedChange, 'repo' | 'change'>;

/** An event with its role for the question. */
interface Evidence {
  readonly event: Event;
  readonly isEvidence: boolean;
  readonly isElsewhere: boolean;
}

async function readEvidence(database: Database, { repo, change }: FoundChange, lead: LeadTimeQuestion): Promise<readonly Evidence[]> {
  const rows = await database.rows(
    `from (${evidenceQuery(lead)}) where change = ${quote(change)} and repo = ${quote(repo)} order by endedAt, startedAt, id`,
  );
  return rows.map((row) => ({ event: asEvent(row), isEvidence: row['is_evidence'] === true, isElsewhere: row['is_elsewhere'] === true }));
}

interface FoundEvidence {
  readonly change: FoundChange;
  readonly lead: LeadTimeQuestion;
  readonly events: readonly Evidence[];
}

async function readTargets(database: Database, { change, lead, events }: FoundEvidence): Promise<readonly ExplainedTarget[]> {
  const { finished, unfinished } = await readLeadTimes(database, change, lead);
  const isMerged = finished.length > 0 || unfinished.some(({ why }) => why !== 'not merged');
  const before = await readEndsBefore(database, change, lead);
  const targets = [
    ...finished.map(({ target, leadTime }) => ({ ...target, leadTime, soFar: undefined, mergedAt: undefined })),
    ...unfinished.map(({ target, why, mergedAt }) => ({
      ...target,
      leadTime: why === 'not merged' && isMerged ? ('not touched' as const) : why,
      soFar: before.find(({ package: name, consumer }) => name === target.package && (consumer ?? target.consumer) === target.consumer)
        ?.leadTime,
      mergedAt,
    })),
  ];
  return targets.sort(byName).map((target) => ({ ...target, ...evidenceOf(target, events) }));
}

/** Returns the lead times to earlier ends than the requested one, the furthest end first. */
async function readEndsBefore(
  database: Database,
  change: FoundChange,
  lead: LeadTimeQuestion,
): Promise<readonly (LeadTimeTarget & { readonly leadTime: LeadTime })[]> {
  const found: (LeadTimeTarget & { readonly leadTime: LeadTime })[] = [];
  for (const until of ENDS_BEFORE[lead.until]) {
    const { finished } = await readLeadTimes(database, change, { ...lead, until });
    found.push(...finished.map(({ target, leadTime }) => ({ ...target, leadTime })));
  }
  return found;
}

const ENDS_BEFORE = { published: [], upgraded: ['published'], released: ['upgraded', 'published'] } as const;

function byName(a: LeadTimeTarget, b: LeadTimeTarget): number {
  return compare(a.package, b.package) || compare(a.consumer ?? '', b.consumer ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the events of the package itself, and those of the consumer. */
function evidenceOf(target: LeadTimeTarget, all: readonly Evidence[]): Pick<ExplainedTarget, 'events' | 'evidence' | 'publishedElsewhere'> {
  const own = all.filter(
    ({ event }) => event.package === target.package && (event.consumer === undefined || event.consumer === target.consumer),
  );
  const eventsOf = (evidence: readonly Evidence[]): readonly Event[] => evidence.map(({ event }) => event);
  return {
    events: eventsOf(own),
    evidence: eventsOf(own.filter(({ isEvidence }) => isEvidence)),
    publishedElsewhere: eventsOf(own.filter(({ event, isElsewhere }) => isElsewhere && !isDeparture(event) && !isReverted(event))),
  };
}

/** Finds changes by name; otherwise by the number of the pull request, or by the first digits of the commit id. */
async function findChanges(database: Database, { change, repo }: ChangeQuestion): Promise<readonly FoundChange[]> {
  const ofRepo = repo === undefined ? '' : ` and repo = ${quote(repo)}`;
  const number = /^#(\d+)$/.exec(change)?.[1];
  const alike = [
    `change = ${quote(change)}`,
    ...(number === undefined ? [] : [`ends_with(url, ${quote(`/pull/${number}`)})`]),
    ...(/^[0-9a-f]{4,}$/.test(change) ? [`starts_with(change, ${quote(change)})`] : []),
  ];
  for (const test of alike) {
    const rows = await database.rows(`select distinct repo, change from event where ${test}${ofRepo} order by repo, change`);
    if (rows.length > 0) return rows.map((row) => ({ repo: String(row['repo']), change: String(row['change']) }));
  }
  return [];
}

function unknown({ change, repo }: ChangeQuestion, found: readonly FoundChange[]): ToolError {
  const repos = [...new Set(found.map((one) => one.repo))];
  const changes = found.map((one) => one.change);
  const [message, hint] =
    found.length === 0
      ? [`The record has no change ${change}${repo === undefined ? '' : ` of ${repo}`}.`, NAME_IT]
      : repos.length > 1
        ? [
            `${repos.length} repositories have a change ${change}: ${listNames(repos, SHOWN)}.`,
            `Name the repository: commit-to-publish explain ${shellWord(change)} --repo ${shellWord(repos[0] ?? '')}.`,
          ]
        : [`${found.length} changes of ${repos[0] ?? ''} have the name ${change}.`, `Give an id: ${listNames(changes, SHOWN)}.`];
  return new ToolError({ code: 'CHANGE_UNKNOWN', message, hint, data: { change, repos, changes } });
}

const NAME_IT =
  "Give the number of its pull request ('#12', in quotes), or the id of its commit on the main line. A commit that only sets a version, or touches no published package, is not a change.";

const SHOWN = 5;
