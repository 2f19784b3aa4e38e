import type { StepId } from '../align/messages.js';

/** What a step of the alignment has to say, in Markdown, for people. */
export interface ReportPart {
  readonly step: StepId;
  /** What a person must decide, a sentence or two each. */
  readonly decisions: readonly string[];
  /** What was changed, and what is worth knowing; an item each. */
  readonly changes: readonly string[];
}

/** Text as code, whatever is in it: a range may hold a bar, which would end the cell of a table. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
