import { expect, test } from '@jest/globals';
import type { Observation } from '../observe/observation.js';
import { describeIncomplete } from './incomplete-observations.js';

const observed = (workspace: string, ...gaps: Observation['gaps']): Observation =>
  ({ workspace, gaps, complete: gaps.length === 0 }) as unknown as Observation;

test('each reason is told once, with its first piece', () => {
  const missing = { gap: 'tracer-missing', detail: 'strace' } as const;
  const daemon = { gap: 'daemon', detail: '/run/x' } as const;
  expect(describeIncomplete([observed('a')])).toEqual([]);
  expect(describeIncomplete([observed('a'), observed('b', missing), observed('c', missing, daemon)])).toEqual([
    '2 observations of 3 are not complete: tracer-missing, in b (strace).',
    '1 observation of 3 is not complete: daemon, in c (/run/x).',
  ]);
});
