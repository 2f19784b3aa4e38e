import { expect, test } from '@jest/globals';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import type { MigrateRequest } from '../run/migrate-request.js';
import { agreeToTests } from './migrate-and-test.js';

const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'auto', json: false });

function request(more: Partial<MigrateRequest>): MigrateRequest {
  const tests = { level: 'ask', script: 'test', timeoutMs: 1, variables: {} } as const;
  return { packages: ['left-pad'], extent: 'all', align: 'yes', install: 'yes', confirmation: 'given', tests, ...more } as MigrateRequest;
}

test('without a terminal nobody agrees, not even --yes', async () => {
  expect(await agreeToTests(request({}), { ui })).toBe('not agreed');
});

test.each(['off', 'install', 'build', 'test'] as const)('--tests %s is the answer', async (level) => {
  expect(await agreeToTests(request({ tests: { level, script: 'test', timeoutMs: 1, variables: {} } }), { ui })).toBe(level);
});

test('a plan runs nothing, whatever was agreed to', async () => {
  expect(
    await agreeToTests(request({ extent: 'plan only', tests: { level: 'test', script: 'test', timeoutMs: 1, variables: {} } }), { ui }),
  ).toBe('plan');
});
