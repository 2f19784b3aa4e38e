import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { completeCommands } from '@tributary/terminal/late-details';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { expectedEnd, leafCommands, type SignalScene, signalComputing, signalWaiting } from '@tributary/test-repo/signalled';
import { buildProgram } from '../cli/program.js';
import { createSource, readState, type State } from './migration.fixture.js';
import { createRequestFixture, openInSource, type RequestFixture, TOKEN } from './pull-requests.fixture.js';

// `breaking.long.test.ts` interrupts a migration at every call of git.

const cleanUp = cleanUpIn(afterAll);
const other = createSource(cleanUp, 'right-pad', { description: 'here it computes' });
let request: RequestFixture;
let before: State;

/** An import with an open pull request and new commits at its source, and another one on a branch. */
beforeAll(async () => {
  request = await createRequestFixture(cleanUp);
  const { fixture, source } = request;
  await fixture.accepted(['middle-pad', '--from', createSource(cleanUp, 'middle-pad').path, '--no-align']);
  source.commit('Feature', { files: { 'src/feature.js': '1\n' } });
  openInSource(request, 7);
});
beforeEach(() => {
  before = readState(request.fixture.monorepo);
});
/** In none of the scenes is something handed over before the signal. */
afterEach(() => {
  expect(readState(request.fixture.monorepo)).toEqual(before);
});

const IN_ORDER = { ends: 'in order' } as const;
/** The manifest of the monorepo. */
const MANIFEST = '"packages/*"';

/** One for each command, and for what a command does in another way. */
const SCENES: Readonly<Record<string, readonly Omit<SignalScene, 'cwd'>[]>> = {
  migrate: [
    { args: ['right-pad', '--from', other.path], at: 'here it computes', waits: ['git', ' fetch --'], ...IN_ORDER },
    { args: ['right-pad', '--from', other.path], at: MANIFEST, ...IN_ORDER },
    { args: ['right-pad', '--from', other.path, '--dry-run'], at: 'here it computes', waits: ['git', 'ls-remote'], ...IN_ORDER },
  ],
  verify: [{ args: ['verify', '--all'], at: 'Tributary-Import', waits: ['git', 'rev-list'], ...IN_ORDER }],
  status: [{ args: ['status'], at: 'Tributary-Import', waits: ['git', 'ls-remote'], ...IN_ORDER }],
  sync: [{ args: ['sync', 'left-pad', '--no-align'], at: 'Tributary-Import', waits: ['git', ' fetch --'], ...IN_ORDER }],
  init: [{ args: ['init', 'acme'], at: MANIFEST, waits: ['git', 'rev-parse'] }],
  check: [{ args: ['check'], at: 'git version', waits: ['git', '--version'] }],
  'pull-requests': [{ args: ['pull-requests', 'left-pad'], at: 'Tributary-Import', waits: ['git', ' fetch --'], ...IN_ORDER }],
  discard: [{ args: ['discard', 'middle-pad'], at: 'Tributary-Import', waits: ['git', 'for-each-ref'], ...IN_ORDER }],
};

test('each command has a scene', () => {
  const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  const program = buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
  completeCommands(program);
  expect(Object.keys(SCENES).sort()).toEqual(leafCommands(program).sort());
});

const scenes = Object.values(SCENES).flat();

describe.each(scenes.map((scene) => [`${scene.args.join(' ')}, at ${scene.at}`, scene] as const))('%s', (_, scene) => {
  const here = (): SignalScene => {
    const { fixture, forge } = request;
    return { ...scene, cwd: fixture.monorepo.path, env: { HOME: fixture.home.path, GITHUB_API_URL: forge.apiUrl, ...TOKEN } };
  };

  test('ends by SIGINT while it computes', async () => {
    expect(await signalComputing('migrate-repo', here(), 'SIGINT')).toMatchObject(expectedEnd(scene, 'SIGINT'));
  });

  if (scene.waits === undefined) return;
  test('ends by SIGTERM with the program that it waits for', async () => {
    expect(await signalWaiting('migrate-repo', here(), 'SIGTERM')).toMatchObject(expectedEnd(scene, 'SIGTERM'));
  });
});
