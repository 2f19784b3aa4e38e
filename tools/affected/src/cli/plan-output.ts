import { appendOutput, isOutputStream, outputPath } from '@tributary/process/output-file';
import { dropCommandsInMarkdown } from '@tributary/terminal/drop-commands';
import { readText } from '../engines/variables.js';
import { readEnvironment } from '../io/environment.js';
import { leftOutOf } from '../plan/left-out.js';
import type { Plan } from '../plan/plan.js';

const SHOWN_LEFT_OUT = 20;

/** A line for each workspace that was left out, of the first ones. */
export function describeLeftOut(plan: Plan): readonly string[] {
  const leftOut = leftOutOf(plan);
  const shown = leftOut.slice(0, SHOWN_LEFT_OUT).map(({ workspace, reason }) => `Left out: ${workspace}. ${reason}`);
  const rest = leftOut.length - shown.length;
  return rest === 0 ? shown : [...shown, `Left out: ${rest} more, which --json and the summary list.`];
}

/** Adds a summary to the file that was named, else to where GitHub shows it. A stream may be the log of a job, which obeys commands. */
export function summarise(file: string | undefined, cwd: string, markdown: string): void {
  const named = file ?? readText(readEnvironment(), 'GITHUB_STEP_SUMMARY');
  if (named === undefined) return;
  const path = outputPath(cwd, named);
  appendOutput(path, isOutputStream(path) ? dropCommandsInMarkdown(markdown) : markdown);
}
