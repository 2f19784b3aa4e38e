import { resolve } from 'node:path';
import { resolveNames } from '@tributary/git/objects';
import { isToolError } from '@tributary/model/errors';
import { readLedger } from '../io/ledger.js';
import { locate } from '../io/locate.js';
import { isInCommit, openKeptObservations } from '../io/observations.js';
import type { KeptObservation } from '../observe/kept-observation.js';
import { judgeLedger, whyNotNarrow } from '../shadow/judge-ledger.js';
import type { AffectedInputs, ObservedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/**
 * Adds observations of traced runs to the inputs. It omits unusable ones with a warning, so the answer uses only declared edges. A file in
 * the commit itself is unusable, because a change could then decide what is tested for it.
 */
export async function withObservations(inputs: AffectedInputs, request: AffectedRequest): Promise<AffectedInputs> {
  const { observed: use } = inputs.config;
  if (use === 'off') return inputs;
  if (request.observations === undefined) return request.observed === undefined ? inputs : { ...inputs, observed: request.observed };
  const file = resolve(request.cwd, request.observations);
  const read = await readOrWarn(inputs, file, request);
  if ('warning' in read) return { ...inputs, warnings: [...inputs.warnings, `${read.warning} Observations were ignored.`] };
  const doubt = use !== 'add' && request.ledger !== undefined ? await doubtOf(inputs, request, request.ledger) : undefined;
  const warnings = doubt === undefined ? inputs.warnings : [...inputs.warnings, `Observations exclude no workspace: ${doubt}.`];
  const observed: ObservedInputs = { use: doubt === undefined ? use : 'add', observations: read.observations, task: request.task };
  return { ...inputs, observed, warnings };
}

/** Why a ledger does not let observations make the answer smaller, as the end of a sentence; `undefined`: it does. */
async function doubtOf({ git, headTree }: AffectedInputs, { cwd, task }: AffectedRequest, named: string): Promise<string | undefined> {
  const file = resolve(cwd, named);
  if (await isInCommit(git, { tree: headTree, place: locate(cwd), file })) return `${named} is a file of the commit`;
  try {
    const { entries } = readLedger(file);
    const last = entries.at(-1);
    if (last === undefined) return `there is no run in ${named} yet`;
    if (task !== undefined && last.task !== task) return `${named} is of the task "${last.task}", not of "${task}"`;
    const [known] = await resolveNames(git, [`${last.head}^{commit}`]);
    if (known === undefined) return `the last run of ${named}, at ${last.head.slice(0, 10)}, is not in this clone`;
    return whyNotNarrow(judgeLedger(entries));
  } catch (error) {
    if (!isToolError(error)) throw error;
    return error.message.replace(/\.$/, '');
  }
}

async function readOrWarn(
  inputs: AffectedInputs,
  file: string,
  { cwd, observations: named = '' }: AffectedRequest,
): Promise<{ readonly observations: readonly KeptObservation[] } | { readonly warning: string }> {
  if (await isInCommit(inputs.git, { tree: inputs.headTree, place: locate(cwd), file }))
    return { warning: `${named} is a file of the commit: a change must not decide which tests it gets.` };
  try {
    const observations = openKeptObservations(file);
    return observations.length > 0 ? { observations } : { warning: `No observations found at ${named}.` };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { warning: error.message };
  }
}
