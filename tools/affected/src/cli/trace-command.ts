import type { Services } from '@tributary/terminal/main';
import { countOf } from '../describe.js';
import { type TraceRequest, trace } from '../run/trace.js';

/** Ends with the exit code of the command; with 1 if a signal ended it. */
export async function runTrace(request: TraceRequest, services: Services): Promise<void> {
  const { ui } = services;
  const { observation, file } = await trace(request, services);
  const { files, packages, gaps, workspace, exit } = observation;
  for (const { gap, detail } of gaps) ui.warning(`The observation is not complete: ${gap} (${detail}).`);
  ui.status(`${workspace} read ${countOf(files.length, 'file')} and ${countOf(packages.length, 'package')}: ${file}`);
  process.exitCode = exit ?? 1;
}
