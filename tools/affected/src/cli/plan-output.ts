import { appendOutput, isOutputStream, outputPath } from '@tributary/process/output-file';
import { dropCommandsInMarkdown } from '@tributary/terminal/drop-commands';
import { readText } from '../engines/variables.js';
import { readEnvironment } from '../io/environment.js';
import { leftOutOf } from '../plan/left-out.js';
import type { Plan } from '../plan/plan.js';

const SHOWN_LEFT_OUT = 20;

/** Returns a line for each of the first workspaces that were left out. */
export function describeLeftOut(plan: Plan): readonly string[] {
  const leftOut = leftOutOf(plan);
  const shown = leftOut.slice(0, SHOWN_LEFT_OUT).map(({ workspace, reason }) => `Left out: ${workspace}. ${reason}`);
  const rest = leftOut.length - shown.length;
  return rest === 0 ? shown : [...shown, `Left out: ${rest} more, which --json and the summary list.`];
}

/**
 * Appends a summary to the given file, otherwise to GitHub's job summary. A stream may be the log of a job, which obeys commands, so they
 * are removed.
 */
export function summarise(file: string | undefined, cwd: string, markdown: string): void {
  const named = file ?? readText(readEnvironment(), 'GITHUB_STEP_SUMMARY');
  if (named === undefined) return;
  const path = outputPath(cwd, named);
  appendOutput(path, isOutputStream(path) ? dropCommandsInMarkdown(markdown) : markdown);
}
