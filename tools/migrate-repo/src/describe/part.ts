import type { Remark } from '../message.js';
import type { GroupedMessage, StepId } from '../result/result.js';
import type { DecisionText, TopicId } from '../topics.js';

/** The report of one alignment step, in Markdown, for people. */
export interface ReportPart {
  readonly step: StepId;
  /** Decisions. A plain text is a question in its own words, which name the packages. */
  readonly decisions: readonly (Reason | DecisionText | string)[];
  /** Changes and information, one item each. */
  readonly changes: readonly (GroupedMessage | string)[];
}

/** Why a decision is needed, at one place. */
export interface Reason extends Remark {
  readonly topic: TopicId;
}

export function isReason(remark: Remark): remark is Reason {
  return remark.topic !== undefined;
}
