// Checks what the real program prints with --json against the published schemas.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCli } from '@tributary/test-repo/run-cli';
import { compileSchema } from '@tributary/test-repo/schemas';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { CloneStory } from '../collect/story.fixture.js';
import { eventNumber } from '../model/event.fixture.js';

const folder = new TempFolder();
const story = new CloneStory();

beforeAll(() => {
  story.repo.git('remote', 'add', 'origin', 'https://host.example/acme/core.git');
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  story.at(20).commit('Add', { 'a.js': '1' });
  story.at(30).version('Bump', { name: 'core', version: '1.1.0' });
  story.at(40).repo.tag('v1.1.0');
  const [first, other] = [eventNumber(1), { ...eventNumber(1), change: '#2' }].map((event) => JSON.stringify(event));
  writeFileSync(folder.join('events.ndjson'), `${first}\n${first}\n${other}\nnone\n`);
});
afterAll(() => {
  folder.dispose();
  story.repo.dispose();
});

const LATEST = ['--channels', 'latest'];
const TIMES = ['2020-09-01..2020-10-01', '2020-10-01..2020-11-01'] as const;

// Each command uses the record that the commands before it made.
const COMMANDS: readonly (readonly [schema: string, args: readonly string[], code: number])[] = [
  ['error', ['report', ...LATEST], 1],
  ['setup-result', ['check'], 0],
  ['collect-result', ['collect', '--repo', story.repo.path, '--dry-run'], 0],
  ['collect-result', ['collect', '--repo', story.repo.path], 0],
  ['ingest-result', ['ingest', 'events.ndjson', '--dry-run'], 1],
  ['ingest-result', ['ingest', 'events.ndjson'], 1],
  ['compact-result', ['compact', '--dry-run'], 0],
  ['compact-result', ['compact'], 0],
  ['compact-result', ['compact'], 0],
  ['report-result', ['report', ...LATEST, '--until', '2020-10-01'], 0],
  ['compare-result', ['compare', ...LATEST, '--before', TIMES[0], '--after', TIMES[1]], 0],
  ['predict-result', ['predict', ...LATEST], 0],
  ['explain-result', ['explain', '#1', ...LATEST], 0],
];

test('what each command answers is as its schema says', async () => {
  for (const [schema, args, code] of COMMANDS) {
    const ran = await runCli('commit-to-publish', [...args, '--json'], { cwd: folder.path });
    expect([args, ran.code]).toEqual([args, code]);
    const validate = compileSchema('commit-to-publish', schema);
    const isValid = validate(JSON.parse(ran.stdout));
    expect({ args, isValid, errors: validate.errors }).toEqual({ args, isValid: true, errors: null });
  }
});

test('each schema of an answer is held against one', () => {
  const published = readdirSync(join(findProjectRoot(), 'tools/commit-to-publish/schema')).map((file) => file.replace('.schema.json', ''));
  const answers = published.filter((name) => name === 'error' || name.endsWith('-result'));
  expect(new Set(COMMANDS.map(([schema]) => schema))).toEqual(new Set(answers));
});
