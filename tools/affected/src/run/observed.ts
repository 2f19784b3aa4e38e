import { resolve } from 'node:path';
import { isToolError } from '@tributary/model/errors';
import { locate } from '../io/locate.js';
import { isInCommit, readKeptObservations } from '../io/observations.js';
import type { Observation } from '../observe/observation.js';
import type { AffectedInputs, ObservedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/**
 * The inputs with what traced runs read. What cannot be used is left out, with a warning: then the answer is that of what is declared. A file
 * that the commit itself holds is one of them, because then a change would decide what is tested for it.
 */
export async function withObservations(inputs: AffectedInputs, request: AffectedRequest): Promise<AffectedInputs> {
  const { observed: use } = inputs.config;
  if (request.observations === undefined || use === 'off') return inputs;
  const file = resolve(request.cwd, request.observations);
  const read = await readOrWarn(inputs, file, request);
  if ('warning' in read) return { ...inputs, warnings: [...inputs.warnings, `${read.warning} The answer is that without observations.`] };
  const observed: ObservedInputs = { use, observations: read.observations, task: request.task };
  return { ...inputs, observed };
}

async function readOrWarn(
  inputs: AffectedInputs,
  file: string,
  { cwd, observations: named = '' }: AffectedRequest,
): Promise<{ readonly observations: readonly Observation[] } | { readonly warning: string }> {
  if (await isInCommit(inputs.git, { tree: inputs.headTree, place: locate(cwd), file }))
    return { warning: `${named} is a file of the commit: a change must not decide what is tested for it.` };
  try {
    const observations = readKeptObservations(file);
    return observations.length > 0 ? { observations } : { warning: `There are no observations at ${named} yet.` };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { warning: error.message };
  }
}
