import type { ConfigDocument } from '@tributary/model/config-document';
import type { FailureDocument } from '@tributary/model/errors';
import type { SetupResult } from '@tributary/model/requirement';
import type { Collection } from './collect/collection.js';
import type { Compaction } from './io/compact.js';
import type { Ingestion } from './io/ingest.js';
import type { Event } from './model/event.js';
import type { LeadTime, LeadTimeQuestion, StageTime } from './model/lead-time.js';
import type { DetailedReport } from './render/report.js';
import type { ChosenMigration } from './report/choose-migration.js';
import type { LeadTimeComparison } from './report/comparison.js';
import type { ExplainedChange, ExplainedTarget } from './report/explanation.js';
import type { Knowledge } from './report/knowledge.js';
import type { MovePrediction } from './report/predict.js';
import type { ReportQuestion } from './report/question.js';
import type { SideQuestion } from './report/side.js';

/**
 * What commit-to-publish reads and prints, by the name of its JSON Schema. `scripts/generate-schemas.mjs` makes the schemas from these types.
 * Times are microseconds since 1970 (UTC), lengths microseconds. What is unknown is `undefined` here, and null in JSON.
 */
export interface Documents {
  /** Answer of commit-to-publish collect --json */
  readonly 'collect-result': Recorded & Collection;
  /** Answer of commit-to-publish compact --json */
  readonly 'compact-result': Recorded & Compaction;
  /**
   * Answer of commit-to-publish compare --json
   * @unknown is null
   */
  readonly 'compare-result': ComparisonDocument;
  /** Failure of commit-to-publish with --json */
  readonly error: FailureDocument;
  /** Event v1 of commit-to-publish */
  readonly event: Event;
  /**
   * Answer of commit-to-publish explain --json
   * @unknown is null
   */
  readonly 'explain-result': ChangeDocument;
  /** Answer of commit-to-publish ingest --json */
  readonly 'ingest-result': Recorded & Ingestion;
  /**
   * Answer of commit-to-publish predict --json
   * @unknown is null
   */
  readonly 'predict-result': PredictionDocument;
  /**
   * Answer of commit-to-publish report --json
   * @unknown is null
   */
  readonly 'report-result': ReportDocument;
  /** Answer of commit-to-publish check --json */
  readonly 'setup-result': SetupResult;
  /** tributary.json */
  readonly tributary: ConfigDocument;
}

/** An answer of a command that changes the record. */
export interface Recorded {
  readonly schemaVersion: 1;
  /** Whether nothing was written. */
  readonly dryRun: boolean;
}

/** The question that defines a lead time. */
export interface QuestionDocument {
  readonly ready: LeadTimeQuestion['ready'];
  /** The end of a lead time. */
  readonly to: LeadTimeQuestion['until'];
  /** The channels whose publications count. */
  readonly channels: readonly string[];
}

export interface SideDocument extends QuestionDocument, Omit<SideQuestion, 'lead'> {
  /** Which changes count. */
  readonly changes: 'published' | 'all';
}

export interface ReportDocument
  extends Pick<DetailedReport['report'], 'rows' | 'left' | 'waiting' | 'unapproved' | 'unknownOpen' | 'elsewhere'> {
  readonly schemaVersion: 1;
  readonly question: QuestionDocument & Omit<ReportQuestion, 'lead'> & { readonly changes: 'published' | 'all' };
  readonly migrations: DetailedReport['migrations'];
  /** All changes together, each once. */
  readonly details: DetailedReport['details'];
}

export interface ComparisonDocument extends Omit<LeadTimeComparison, 'question' | 'predicted'> {
  readonly schemaVersion: 1;
  readonly question: {
    readonly before: SideDocument;
    readonly after: SideDocument;
  };
  readonly migration: ChosenMigration | undefined;
  /** What the changes before would have taken without the stages that one repository makes unnecessary. */
  readonly predicted: Pick<MovePrediction, 'measured' | 'scenarios'> | undefined;
}

export interface PredictionDocument extends Omit<MovePrediction, 'question'> {
  readonly schemaVersion: 1;
  readonly question: SideDocument & Omit<MovePrediction['question'], 'side'>;
}

export interface ChangeDocument extends Pick<ExplainedChange, 'repo' | 'change'> {
  readonly schemaVersion: 1;
  readonly question: QuestionDocument;
  readonly targets: readonly (Pick<ExplainedTarget, 'package' | 'consumer' | 'events'> & {
    readonly leadTime: KnownLeadTime | Exclude<ExplainedTarget['leadTime'], LeadTime>;
  })[];
}

export interface KnownLeadTime extends Omit<LeadTime, 'stages'> {
  /** 1 if the total is only a lower bound, otherwise 0. */
  readonly atLeast: number;
  readonly stages: readonly (StageTime & { readonly known: Knowledge })[];
}
