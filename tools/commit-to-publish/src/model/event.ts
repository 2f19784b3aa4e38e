import type { Stage } from './stage.js';

/**
 * Microseconds since 1970-01-01T00:00:00Z; whole.
 * @asType integer
 */
export type Micros = number & { readonly __micros: unique symbol };

export const OUTCOMES = ['success', 'failure', 'cancelled', 'skipped', 'unmeasured', 'retracted'] as const;
export const ACTORS = ['person', 'bot'] as const;
export const SOURCES = ['ci', 'api', 'webhook', 'git', 'registry'] as const;
export const FILES = ['unpublished'] as const;
export const CONFIDENCES = ['exact', 'derived', 'at-least'] as const;

/**
 * Without control characters and signs that change the direction of text.
 * @minLength 1
 * @maxLength 1000
 * @pattern ^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]*$
 */
type EventText = string;

/** @minimum 946684800000000 */
type EventTime = Micros;

/**
 * @asType integer
 * @minimum 1
 * @maximum 999999
 */
type EventNumber = number;

/**
 * One attempt at one stage of one change, for one package (event v1). A correction is a new event with the same key (see `EVENT_KEY`). Of
 * these events one counts: highest revision first, then `exact` before `derived`, then the last recorded. Schema:
 * `schema/event.schema.json`.
 */
export interface Event {
  readonly schemaVersion: 1;
  /** Identifies this record. It does not decide which event counts; the key does: change, package, consumer, stage and attempt. */
  readonly id: EventText;
  /** Unique within the repository: `#12` for a pull request, or the id of a commit on the main line. */
  readonly change: EventText;
  /** `owner/name`, or the name that this record uses for the repository. */
  readonly repo: EventText;
  readonly package: EventText;
  /** The repository that upgraded to the package; missing for events of the package's own repository. */
  readonly consumer?: EventText;
  readonly stage: Stage;
  /** From 1. */
  readonly attempt: EventNumber;
  readonly startedAt: EventTime;
  readonly endedAt: EventTime;
  /**
   * `unmeasured`: a publication whose lead time is unknown, as the first of its package has none. Without a release, from git: the package
   * left the repository, or became private, with the change unreleased.
   * `retracted`: recorded, but not true or no longer true; the event counts for nothing.
   */
  readonly outcome: (typeof OUTCOMES)[number];
  readonly actor: (typeof ACTORS)[number];
  readonly source: (typeof SOURCES)[number];
  /**
   * `derived`: inferred from a substitute, such as a tag for a publication. `at-least`: the true time is this or later, as that of a
   * lightweight tag, which has only the time of its commit, or of a version that an incomplete registry may have lost.
   */
  readonly confidence: (typeof CONFIDENCES)[number];
  readonly recordedAt: EventTime;
  /** For `publish`: what was published, such as a version. Changes of one release share their end. */
  readonly release?: EventText;
  /** For `publish`: the dist-tag, `github-release`, `github-prerelease`, or an environment such as `deployment:production`. */
  readonly channel?: EventText;
  readonly team?: EventText;
  /**
   * A web page that shows the change.
   * @minLength 1
   * @maxLength 1000
   * @pattern ^https?://[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]*$
   */
  readonly url?: string;
  /**
   * `unpublished`: the change touched only files that the package does not publish, such as tests or documents. Missing: it touched
   * published files, or that is unknown.
   */
  readonly files?: (typeof FILES)[number];
  /**
   * From 1. A revision replaces all events of the same key with a lower one, even exact ones. Missing for events that are not corrections.
   */
  readonly revision?: EventNumber;
}
