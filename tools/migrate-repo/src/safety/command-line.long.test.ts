import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);
// For tests that run side by side.
const atEnd = cleanUpIn(afterAll);

let fixture: MigrationFixture;
let from: string[];

beforeEach(() => {
  fixture = createFixture(cleanUp);
  from = ['--from', createSource(cleanUp).path];
});

test.concurrent.each([
  [['--unknown', 'left-pad']],
  [['left-pad', 'right-pad', '--from', '.']],
  [['left-pad', '--from', '.', '--strategy', 'merge', '--subdirectory', 'x']],
  [['Not A Name']],
  [['verify']],
  [['left-pad', '--cwd', '/nothing/there']],
  [['left-pad', '--from', '.', '--branch', '-D']],
])('wrong: %j', async (args) => {
  await createFixture(atEnd).refused('USAGE', args);
});

test('an error is one document with --json, and nothing else is on stdout', async () => {
  const { stdout, stderr } = await fixture.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', './nothing', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, error: { code: 'SOURCE_UNREACHABLE', hint: expect.any(String) } });
  expect(stderr).toContain('[SOURCE_UNREACHABLE]');
});

test('--quiet says nothing but the answer; --dry-run writes nothing', async () => {
  const before = fixture.state();
  const planned = await fixture.run(['left-pad', ...from, '--dry-run', '--quiet']);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain('Plan: 1 package on the new branch migrate/left-pad');
  expect(fixture.state()).toEqual(before);
});

test('no colour and no question without a terminal, whatever the environment says', async () => {
  const result = await fixture.accepted(['left-pad', ...from], { env: { NO_COLOR: '1', TERM: 'xterm-256color' } });
  expect(result.stdout + result.stderr).not.toContain('\u001b');
});

test('a reader that goes away does not break the work', async () => {
  const bundle = join(findProjectRoot(), 'tools/migrate-repo/out/cli.cjs');
  const line = `'${process.execPath}' '${bundle}' left-pad --from '${from[1]}' --json --verbose 2>&1 | head -1; exit "\${PIPESTATUS[0]}"`;
  const result = await runProcess('bash', ['-c', line], { cwd: fixture.monorepo.path });
  expect(result.code).toBe(0);
  expect(fixture.monorepo.git('branch', '--list', 'migrate/*')).toBe('  migrate/left-pad');
  expect(fixture.state().leftovers).toEqual([]);
});
