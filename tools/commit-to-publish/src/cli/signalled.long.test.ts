import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { expectedEnd, leafCommands, type SignalScene, signalComputing, signalWaiting } from '@tributary/test-repo/signalled';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { eventNumber } from '../model/event.fixture.js';
import { buildProgram } from './program.js';

const cleanUp = cleanUpIn(afterAll);
const repo = cleanUp.add(TempRepo.create());
const linesFrom = (at: number): string =>
  Array.from({ length: 200 }, (_, index) => `${JSON.stringify(eventNumber(at + index))}\n`).join('');
repo.commit('Release', {
  files: {
    'package.json': '{ "name": "a", "version": "1.0.0", "description": "here it computes" }\n',
    'events.ndjson': linesFrom(0),
    'more.ndjson': linesFrom(1000),
    '.gitignore': '.tributary\n',
  },
});
repo.tag('v1.0.0');

/** Part of the record is compacted. */
beforeAll(async () => {
  for (const args of [['ingest', 'events.ndjson'], ['compact'], ['ingest', 'more.ndjson']])
    expect(await runCli('commit-to-publish', args, { cwd: repo.path })).toMatchObject({ code: 0 });
});

/** The manifest of the record. */
const MANIFEST = '"parquet"';

/** One for each command, and for what a command does in another way. */
const SCENES: Readonly<Record<string, readonly Omit<SignalScene, 'cwd'>[]>> = {
  collect: [{ args: ['collect', '--record', 'other'], at: 'here it computes', waits: ['git', 'rev-parse'] }],
  ingest: [{ args: ['ingest', 'events.ndjson', '--record', 'other'], at: '"schemaVersion":1,"id"', ends: 'in order' }],
  report: [{ args: ['report', '--channels', 'latest'], at: MANIFEST }],
  compare: [
    { args: ['compare', '--before', '2026-01-05..2026-02-05', '--after', '2026-02-05..2026-03-05', '--channels', 'latest'], at: MANIFEST },
  ],
  predict: [{ args: ['predict', '--channels', 'latest'], at: MANIFEST }],
  explain: [{ args: ['explain', '#1', '--channels', 'latest'], at: MANIFEST }],
  compact: [{ args: ['compact'], at: MANIFEST, ends: 'in order' }],
  check: [{ args: ['check'], at: 'git version', waits: ['git', '--version'] }],
  sql: [{ args: ['sql', '--channels', 'latest'], at: MANIFEST }],
};

test('each command has a scene', () => {
  const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  const program = buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
  expect(Object.keys(SCENES).sort()).toEqual(leafCommands(program).sort());
});

const scenes = Object.values(SCENES).flat();

describe.each(scenes.map((scene) => [scene.args.join(' '), { ...scene, cwd: repo.path }] as const))('%s', (_, scene) => {
  test('ends by SIGINT while it computes', async () => {
    expect(await signalComputing('commit-to-publish', scene, 'SIGINT')).toMatchObject(expectedEnd(scene, 'SIGINT'));
  });

  if (scene.waits === undefined) return;
  test('ends by SIGTERM with the program that it waits for', async () => {
    expect(await signalWaiting('commit-to-publish', scene, 'SIGTERM')).toMatchObject(expectedEnd(scene, 'SIGTERM'));
  });
});
