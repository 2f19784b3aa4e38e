import type { Stage } from './stage.js';

/** Microseconds since 1970-01-01T00:00:00Z; whole. */
export type Micros = number & { readonly __micros: unique symbol };

export const OUTCOMES = ['success', 'failure', 'cancelled', 'skipped', 'unmeasured', 'retracted'] as const;
export const ACTORS = ['person', 'bot'] as const;
export const SOURCES = ['ci', 'api', 'webhook', 'git', 'registry'] as const;
export const FILES = ['unpublished'] as const;
export const CONFIDENCES = ['exact', 'derived'] as const;

/**
 * Event v1: one attempt at one stage of one change, for one package. A correction is a new event with the same change, package, consumer,
 * stage and attempt; the highest revision counts, then what is exact before what is derived, then the one recorded last. Schema: `schema/event.schema.json`.
 */
export interface Event {
  readonly schemaVersion: 1;
  /** Each has its own, to find it by. Which event counts in place of another the key says alone: change, package, consumer, stage and attempt. */
  readonly id: string;
  /** Within the repository: `#12` of a pull request, or the id of a commit on the main line. */
  readonly change: string;
  /** `owner/name`, or whatever the repository is called in this record. */
  readonly repo: string;
  readonly package: string;
  /** Who upgraded to the package; missing for what happens in its own repository. */
  readonly consumer?: string;
  readonly stage: Stage;
  /** From 1. */
  readonly attempt: number;
  readonly startedAt: Micros;
  readonly endedAt: Micros;
  /** `unmeasured`: a publication with a change of which nobody knows since when it could have come out, the first of a package. `retracted`: what was recorded is not true, or no longer; nothing of it counts. */
  readonly outcome: (typeof OUTCOMES)[number];
  readonly actor: (typeof ACTORS)[number];
  readonly source: (typeof SOURCES)[number];
  /** `derived`: from something that stands for it, such as a tag for a publication. */
  readonly confidence: (typeof CONFIDENCES)[number];
  readonly recordedAt: Micros;
  /** Of `publish`: what was published, such as a version. Changes of one release share their end. */
  readonly release?: string;
  /** Of `publish`: the dist-tag, or `github-release`, `github-prerelease`, `deployment:production`. */
  readonly channel?: string;
  readonly team?: string;
  /** Where a person can look at the change. */
  readonly url?: string;
  /** `unpublished`: the change touched no file that the package publishes, but tests or documents alone. Missing: it did, or nobody knows. */
  readonly files?: (typeof FILES)[number];
  /** From 1, for a correction that counts in place of whatever was recorded with a lower one, also of what is exact. Missing for all others. */
  readonly revision?: number;
}
