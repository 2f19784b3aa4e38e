import type { Collection } from '../collect/collection.js';
import type { KnownLeadTime } from '../documents.js';
import type { Compaction } from '../io/compact.js';
import type { Ingestion } from '../io/ingest.js';
import type { Event } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion } from '../model/lead-time.js';
import type { ChosenMigration } from '../report/choose-migration.js';
import type { LeadTimeComparison } from '../report/comparison.js';
import type { ExplainedChange } from '../report/explanation.js';
import { knowledgeOf } from '../report/knowledge.js';
import type { MovePrediction } from '../report/predict.js';
import type { SideQuestion } from '../report/side.js';
import type { DetailedReport } from './report.js';

/** Returns a report as the document for `--json`. Times are microseconds since 1970 (UTC), lengths microseconds. */
export function reportDocument({ report, migrations, details }: DetailedReport): unknown {
  const { question, rows, left, waiting, unapproved, unknownOpen, elsewhere } = report;
  const { lead, ...rest } = question;
  return withNulls({
    schemaVersion: 1,
    question: {
      ...rest,
      ...lead,
      until: rest.until,
      earliest: rest.earliest,
      before: rest.before,
      to: lead.until,
      channels: [...lead.channels],
      changes: lead.changes ?? 'all',
    },
    rows,
    left,
    waiting,
    unapproved,
    unknownOpen,
    elsewhere,
    migrations,
    details,
  });
}

/** Returns a comparison as JSON, with the units of `reportDocument`. */
export function comparisonDocument({ question, predicted, ...found }: LeadTimeComparison, migration: ChosenMigration | undefined): unknown {
  return withNulls({
    schemaVersion: 1,
    question: { before: sideDocument(question.before), after: sideDocument(question.after) },
    migration,
    ...found,
    predicted: predicted === undefined ? undefined : withoutQuestion(predicted),
  });
}

/** Returns a prediction as JSON, with the units of `reportDocument`. */
export function predictionDocument(prediction: MovePrediction): unknown {
  const { question, ...found } = prediction;
  return withNulls({
    schemaVersion: 1,
    question: { ...sideDocument(question.side), without: question.without },
    ...found,
  });
}

/** The comparison already contains the question. */
function withoutQuestion({ measured, scenarios }: MovePrediction): object {
  return { measured, scenarios };
}

function sideDocument({ lead, ...rest }: SideQuestion): object {
  return { ...rest, ...questionDocument(lead), changes: lead.changes ?? 'all' };
}

function questionDocument({ ready, until, channels }: LeadTimeQuestion): object {
  return { ready, to: until, channels: [...channels] };
}

/** Returns an explained change as JSON, with the units of `reportDocument`. */
export function changeDocument({ lead, repo, change, targets }: ExplainedChange): unknown {
  const listed = targets.map(({ package: name, consumer, leadTime, events, evidence }) => ({
    package: name,
    consumer,
    leadTime: typeof leadTime === 'string' ? leadTime : knownTime(leadTime, evidence),
    events,
  }));
  return withNulls({ schemaVersion: 1, question: questionDocument(lead), repo, change, targets: listed });
}

/** Marks what is only a lower bound, or unknown. */
function knownTime({ stages, ...leadTime }: LeadTime, evidence: readonly Event[]): KnownLeadTime {
  const known = stages.map((stage) => ({ ...stage, known: knowledgeOf(stage, evidence) }));
  return { ...leadTime, atLeast: known.at(-1)?.known === 'at least' ? 1 : 0, stages: known };
}

/** Returns as JSON what was collected or, with `look`, would be. */
export function collectionDocument({ repositories, upgrades }: Collection, doing: 'record' | 'look'): unknown {
  return { schemaVersion: 1, dryRun: doing === 'look', repositories, upgrades };
}

/** Returns as JSON what was ingested or, with `look`, would be. */
export function ingestionDocument({ kept, repeated, rejected, flaws, clashing, clashes }: Ingestion, doing: 'record' | 'look'): unknown {
  return { schemaVersion: 1, dryRun: doing === 'look', kept, repeated, rejected, flaws, clashing, clashes };
}

/** Returns as JSON what was compacted or, with `look`, would be. */
export function compactionDocument({ events }: Compaction, doing: 'record' | 'look'): unknown {
  return { schemaVersion: 1, dryRun: doing === 'look', events };
}

/** Writes unknown values as null, so that readers need not guess whether a field was forgotten. */
function withNulls(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withNulls(inside)]));
}
