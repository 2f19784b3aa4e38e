import { ToolError } from '@tributary/model/errors';
import { quote } from '../engine/sql.js';
import type { Event } from '../model/event.js';
import { type LeadTime, type LeadTimeQuestion, leadTimeOf, type Unfinished } from '../model/lead-time.js';
import { asEvent } from './as-event.js';
import type { Database } from './database.js';
import { checkNames } from './resolve-sides.js';

/** A change on its way to one package, and to one consumer where there is one. */
export interface ChangeWay {
  readonly package: string;
  readonly consumer: string | undefined;
  /** `not touched`: the change is merged, and was none of this package. Events of it count for nothing. */
  readonly leadTime: LeadTime | Unfinished | 'not touched';
  /** What is known, in the order it ended. */
  readonly events: readonly Event[];
}

export interface Change {
  /** Which way was measured. */
  readonly lead: LeadTimeQuestion;
  readonly repo: string;
  readonly change: string;
  readonly ways: readonly ChangeWay[];
}

/** What the table `event` knows of a change. Throws `NOT_RECORDED` for a repository that it does not have; `CHANGE_UNKNOWN`, also where several repositories have one of that name. */
export async function readChange(
  database: Database,
  asked: { readonly change: string; readonly repo: string | undefined; readonly lead: LeadTimeQuestion },
): Promise<Change> {
  await checkNames(database, 'repo', asked.repo === undefined ? [] : [asked.repo]);
  const found = await findChanges(database, asked);
  const [first] = found;
  if (first === undefined || found.length > 1) throw unknown(asked, found);
  const { repo, change } = first;
  const rows = await database.rows(`from event where change = ${quote(change)} and repo = ${quote(repo)} order by endedAt, startedAt, id`);
  const events = rows.map(asEvent);
  const packages = [...new Set(events.map((event) => event.package))].sort();
  return { lead: asked.lead, repo, change, ways: packages.flatMap((name) => waysTo(name, events, asked.lead)) };
}

type FoundChange = Pick<Change, 'repo' | 'change'>;

/** By its name; else by the number of its pull request, or by the beginning of the id of its commit. */
async function findChanges(
  database: Database,
  { change, repo }: { readonly change: string; readonly repo: string | undefined },
): Promise<readonly FoundChange[]> {
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

function waysTo(name: string, all: readonly Event[], lead: LeadTimeQuestion): readonly ChangeWay[] {
  const ofPackage = all.filter((event) => event.package === name);
  const consumers = [...new Set(ofPackage.flatMap(({ consumer }) => (consumer === undefined ? [] : [consumer])))].sort();
  const isMerged = all.some(({ stage, consumer }) => stage === 'merge-wait' && consumer === undefined);
  const ends = lead.until === 'published' || consumers.length === 0 ? [undefined] : consumers;
  return ends.map((consumer) => {
    const events = ofPackage.filter((event) => event.consumer === undefined || event.consumer === consumer);
    const leadTime = leadTimeOf(events, lead);
    return { package: name, consumer, leadTime: leadTime === 'not merged' && isMerged ? 'not touched' : leadTime, events };
  });
}

function unknown(
  { change, repo }: { readonly change: string; readonly repo: string | undefined },
  found: readonly FoundChange[],
): ToolError {
  const repos = [...new Set(found.map((one) => one.repo))];
  const changes = found.map((one) => one.change);
  const [message, hint] =
    found.length === 0
      ? [`The record knows no change ${change}${repo === undefined ? '' : ` of ${repo}`}.`, NAME_IT]
      : repos.length > 1
        ? [
            `${repos.length} repositories have a change ${change}: ${first(repos)}.`,
            `Say whose it is: commit-to-publish explain '${change}' --repo ${repos[0] ?? ''}.`,
          ]
        : [`${found.length} changes of ${repos[0] ?? ''} are called ${change}.`, `Name one by its id: ${first(changes)}.`];
  return new ToolError({ code: 'CHANGE_UNKNOWN', message, hint, data: { change, repos, changes } });
}

const NAME_IT =
  "Name it by the number of its pull request ('#12', in quotes), or by the id of its commit on the main line. A commit that only sets a version is no change.";

const SHOWN = 5;

function first(names: readonly string[]): string {
  return `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
}
