import { expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { fuzz, fuzzSeconds } from '@tributary/test-repo/fuzz';
import { ownerFinder } from '../collect/code-owners.js';
import { parseFailRule } from '../report/fail-rule.js';
import type { Micros } from './event.js';
import { parseEventLine } from './parse-event.js';

const AT = 1_790_000_000_000_000;
const EVENT = JSON.stringify({
  schemaVersion: 1,
  id: 'a-1',
  repo: 'acme/app',
  change: 'a'.repeat(40),
  package: '@acme/ui',
  stage: 'publish',
  attempt: 1,
  release: '1.0.0',
  channel: 'latest',
  startedAt: AT,
  endedAt: AT + 1,
  outcome: 'success',
  actor: 'person',
  source: 'ci',
  confidence: 'exact',
  recordedAt: AT + 2,
});

// As in `affected`: FUZZ_MINUTES is the time for all targets together.
test.each([
  { name: 'event', seeds: [EVENT], parse: (text: string) => parseEventLine(text, (AT + 3) as Micros) },
  {
    name: 'CODEOWNERS',
    seeds: ['# owners\n* @acme/all\n/docs/ @ann user@example.org\nsrc/**/*.ts @acme/web # why\n[Section][2] @x\n\\#odd @y\n'],
    parse: (text: string) => ({ team: ownerFinder(text)('packages/ui' as RepoFolder) }),
  },
  { name: '--fail-if', seeds: ['p90>5d', 'p50>+20%'], parse: parseFailRule },
])('$name', async (target) => {
  for (const seed of target.seeds) expect(typeof target.parse(seed)).toBe('object');
  expect(await fuzz(target, fuzzSeconds(process.env))).toBeGreaterThan(0);
});
