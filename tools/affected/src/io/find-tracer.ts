import { findHooks } from './hooks.js';
import { findStrace } from './strace.js';
import type { Tracer } from './tracer.js';

/** Finds strace, which sees all programs. Where it is missing, or may not watch, hooks in Node see Node. */
export async function findTracer(signal: AbortSignal): Promise<Tracer> {
  const strace = await findStrace(signal);
  if (!('gap' in strace)) return strace;
  const hooks = await findHooks(signal);
  return 'gap' in hooks ? { ...strace, detail: `${strace.detail}; ${hooks.detail}` } : hooks;
}
