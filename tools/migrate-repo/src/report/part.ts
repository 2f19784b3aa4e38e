import type { Remark } from '../message.js';
import type { GroupedMessage, StepId } from '../result/result.js';
import type { Question, TopicId } from '../topics.js';

/** The report of one alignment step, in Markdown, for people. */
export interface ReportPart {
  readonly step: StepId;
  /** Decisions. A plain text is a question in its own words, which name the packages. */
  readonly decisions: readonly (Reason | Question | string)[];
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

/** Returns a text as inline code. A range may contain a bar, which would end a table cell. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/**
 * Returns a text without line breaks and control characters. A name or range of an imported package may contain
 * anything, and must not start a line or control the terminal.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
