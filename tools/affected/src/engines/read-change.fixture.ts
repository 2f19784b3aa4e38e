import { expect } from '@jest/globals';
import { parseObjectId } from '@tributary/model/ids';
import type { CiChange } from './ci-change.js';
import { detectEngine } from './detect.js';
import type { CiVariables } from './variables.js';

export const [A, B, C] = [parseObjectId('a'.repeat(40)), parseObjectId('b'.repeat(40)), parseObjectId('c'.repeat(40))];
export const ZERO = '0'.repeat(40);

/** A row of a table: its title, the variables besides the engine's own, and the expected value. */
export type ChangeRow = readonly [string, CiVariables, unknown];

/** `event`: what the file of the event holds, as JSON if it is no text. Without it there is no file. */
export function read(variables: CiVariables, event?: unknown): (CiChange & { readonly engine: string }) | undefined {
  const engine = detectEngine(variables);
  const readEvent = event === undefined ? noEvent : () => (typeof event === 'string' ? event : JSON.stringify(event));
  return engine === undefined ? undefined : { ...engine.readChange(variables, readEvent), engine: engine.name };
}

export function unknown(text: string): unknown {
  return { kind: 'unknown', reason: expect.stringContaining(text) };
}

export function branch(name: string, source: string): unknown {
  return { kind: 'branch', name, source };
}

export function commit(id: unknown, source: string): unknown {
  return { kind: 'commit', id, source };
}

function noEvent(): string {
  throw new Error('there is no file of an event');
}
