import type { StepId } from '../align/messages.js';
import type { GroupedMessage, Remark } from '../message.js';
import type { Question, TopicId } from '../topics.js';

/** What a step of the alignment has to say, in Markdown, for people. */
export interface ReportPart {
  readonly step: StepId;
  /** What a person must decide. A text alone is a question in its own words, which name whom it concerns. */
  readonly decisions: readonly (Reason | Question | string)[];
  /** What was changed, and what is worth knowing; an item each. */
  readonly changes: readonly (GroupedMessage | string)[];
}

/** Why a decision has to be taken, at one place. */
export interface Reason extends Remark {
  readonly topic: TopicId;
}

export function isReason(remark: Remark): remark is Reason {
  return remark.topic !== undefined;
}

/** Text as code, whatever is in it: a range may hold a bar, which would end the cell of a table. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** A name or a range of an imported package may hold anything; it must not begin a line, nor paint the terminal. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
