import { ToolError } from '@tributary/model/errors';
// By the same name as everywhere else, by which scripts/bundle.mjs makes it one file for all.
import { ENGINES } from '../engines/engines.js';
import type { CiChange } from './ci-change.js';
import type { CiEngine, ReadEvent } from './engine.js';
import { attemptIn, type CiVariables } from './variables.js';

/** Returns the engine whose job has these variables; `undefined` if there is none. */
export function detectEngine(variables: CiVariables, engines = ENGINES): CiEngine | undefined {
  return engines.find(({ detect }) => detect(variables));
}

/** Returns the engine of this name. Throws `USAGE` if there is none. */
export function engineNamed(name: string, engines = ENGINES): CiEngine {
  const engine = engines.find((one) => one.name === name);
  if (engine !== undefined) return engine;
  const hint = `Name one of these: ${engines.map((one) => one.name).join(', ')}.`;
  throw new ToolError({ code: 'USAGE', message: `Unknown CI engine "${name}".`, hint });
}

/** Returns what the CI engine says about the change; `undefined` outside of CI. Never throws, even if `readEvent` does. */
export function readCiChange(variables: CiVariables, readEvent: ReadEvent, engines = ENGINES): CiChange | undefined {
  return detectEngine(variables, engines)?.readChange(variables, readEvent);
}

/** Returns how often this job has run for the same plan, from 1. AFFECTED_ATTEMPT wins; then the first engine that counts; else it is 1. */
export function readAttempt(variables: CiVariables, engines = ENGINES): number {
  return firstKnown(variables, engines, 'attempt') ?? 1;
}

/** Returns the number that no job of this run can exceed, in the same order; `undefined`: nothing tells. */
export function readRunAttempt(variables: CiVariables, engines = ENGINES): number | undefined {
  return firstKnown(variables, engines, 'runAttempt');
}

function firstKnown(variables: CiVariables, engines: typeof ENGINES, which: 'attempt' | 'runAttempt'): number | undefined {
  const told = engines.map((engine) => engine[which]?.(variables));
  return [attemptIn(variables, 'AFFECTED_ATTEMPT'), ...told].find((attempt) => attempt !== undefined);
}
