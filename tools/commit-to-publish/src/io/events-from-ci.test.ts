// Runs the examples of docs/guides/events-from-ci.md as the steps of a workflow run them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { Event, Micros } from '../model/event.js';
import { parseEventLine } from '../model/parse-event.js';

const cleanUp = cleanUpIn(afterEach);
const guide = readFileSync(fileURLToPath(new URL('../../../../docs/guides/events-from-ci.md', import.meta.url)), 'utf8');
const [tests = '', publication = ''] = [...guide.matchAll(/^ {2}run: \|\n((?: {4}.*\n)+)/gm)].map(([, script = '']) =>
  script.replaceAll(/^ {4}/gm, ''),
);
const STARTED = (Date.now() - 60_000) * 1000;
const withJq = spawnSync('jq', ['--version']).status === 0 ? test : test.skip;

function run(script: string, repo: TempRepo, more: Readonly<Record<string, string>>): readonly (Event | string)[] {
  const github = { GITHUB_RUN_ID: '77', GITHUB_RUN_ATTEMPT: '2', GITHUB_REPOSITORY: 'acme/app', STARTED_AT: String(STARTED) };
  // The same flags as GitHub uses.
  const ran = spawnSync('bash', ['-e', '-c', script], { cwd: repo.path, env: { ...process.env, ...github, ...more }, encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  const file = join(repo.path, 'events.ndjson');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => parseEventLine(line, (Date.now() * 1000) as Micros));
}

withJq('tests after the merge', () => {
  const repo = cleanUp.add(TempRepo.create());
  const change = repo.commit('Add');
  const events = run(tests, repo, { GITHUB_SHA: change, OUTCOME: 'failure', PACKAGES: '@acme/ui @acme/core' });
  const own = { stage: 'post-merge-tests', attempt: 2, change, repo: 'acme/app', startedAt: STARTED, outcome: 'failure' };
  expect(events).toMatchObject([
    { id: '77-2-tests-@acme/ui', package: '@acme/ui', ...own },
    { id: '77-2-tests-@acme/core', package: '@acme/core', ...own },
  ]);
});

withJq('a publication, for each change that is new in it', () => {
  const repo = cleanUp.add(TempRepo.create());
  const change = (path: string): string => repo.commit(path, { files: { [path]: path } });
  change('packages/ui/a');
  repo.git('tag', '@acme/ui@1.2.0');
  const first = change('packages/ui/b');
  change('packages/core/c');
  const last = change('packages/ui/d');
  const events = run(publication, repo, {
    PACKAGE: '@acme/ui',
    FOLDER: 'packages/ui',
    VERSION: '1.3.0',
    PREVIOUS: '@acme/ui@1.2.0',
    CHANNEL: 'latest',
  });
  const own = { stage: 'publish', package: '@acme/ui', release: '1.3.0', channel: 'latest', startedAt: STARTED };
  expect(events).toMatchObject([
    { change: last, ...own },
    { change: first, ...own },
  ]);
});
