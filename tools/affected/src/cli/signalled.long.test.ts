import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { completeCommands } from '@tributary/terminal/late-details';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import { runCli } from '@tributary/test-repo/run-cli';
import { expectedEnd, leafCommands, type SignalScene, signalComputing, signalWaiting } from '@tributary/test-repo/signalled';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import { buildProgram } from './program.js';

const cleanUp = cleanUpIn(afterAll);
const repo = cleanUp.add(
  createTempMonorepo({
    root: { devDependencies: { turbo: '2.6.0' } },
    packages: {
      'packages/a': { description: 'here it computes', scripts: { test: 'true' } },
      'packages/b': { dependencies: { a: '1.0.0' } },
    },
    files: { 'turbo.json': '{ "tasks": { "test": {} } }', '.gitignore': 'node_modules\n.tributary\n.turbo\nplan.json\ntimings.json\n' },
  }),
);
repo.commit('change', { files: { 'packages/a/x.test.js': 'x' } });
// turborepo makes its folder early or late.
repo.write({ 'timings.json': '{\n  "schemaVersion": 1,\n  "tasks": {}\n}\n', '.turbo/cache/old': '' });

beforeAll(async () => {
  const planned = await runCli('affected', ['plan', '--base', 'HEAD~1', '--no-fetch', '--out', 'plan.json'], { cwd: repo.path });
  expect(planned).toMatchObject({ code: 0 });
});

type Scene = Omit<SignalScene, 'cwd'>;

const COMPARED = ['--base', 'HEAD~1', '--no-fetch'];
const MANIFEST = 'here it computes';

/** One for each command, and for what a command does in another way. */
const SCENES: Readonly<Record<string, readonly Scene[]>> = {
  select: [
    { args: COMPARED, at: MANIFEST, waits: ['git', 'diff-tree'] },
    { args: [...COMPARED, '--uncommitted'], at: MANIFEST, waits: ['git', 'add --all'], ends: 'soon' },
  ],
  init: [{ args: ['init', '--dry-run'], at: MANIFEST, waits: ['git', 'check-ignore'] }],
  why: [{ args: ['why', 'b', ...COMPARED], at: MANIFEST, waits: ['git', 'diff-tree'] }],
  replay: [{ args: ['replay', '--last', '1'], at: MANIFEST, waits: ['git', 'rev-list'] }],
  tune: [{ args: ['tune', '--last', '1'], at: MANIFEST, waits: ['git', 'rev-list'] }],
  check: [
    { args: ['check'], at: MANIFEST, waits: ['git', 'ls-tree'] },
    { args: ['check', '--setup'], at: 'git version', waits: ['git', '--version'] },
  ],
  trace: [{ args: ['trace', '--', 'hanging', '1000'], at: MANIFEST, waits: ['hanging', '1000'], ends: 'in order' }],
  plan: [{ args: ['plan', ...COMPARED, '--out', 'plan.json'], at: '"machine"', waits: ['git', 'diff-tree'] }],
  emit: [{ args: ['emit', 'github', '--plan', 'plan.json'], at: '"machine"' }],
  'run-shard': [{ args: ['run-shard', '01', '--plan', 'plan.json'], at: '"machine"', waits: ['turbo', '--summarize'], ends: 'in order' }],
  gate: [{ args: ['gate', '--plan', 'plan.json'], at: '"machine"' }],
  report: [{ args: ['report', '--runs', '.'], at: '"machine"' }],
  'timings collect': [{ args: ['timings', 'collect', '--into', 'timings.json', '--allow-missing'], at: '"tasks"' }],
};

const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
const program = buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
completeCommands(program);

test('each command has a scene', () => {
  expect(Object.keys(SCENES).sort()).toEqual(leafCommands(program).sort());
});

describe.each(
  Object.values(SCENES)
    .flat()
    .map((scene) => [scene.args.join(' '), { ...scene, cwd: repo.path }] as const),
)('%s', (_, scene) => {
  let before: RepoSnapshot;
  beforeEach(() => {
    before = repo.snapshot();
  });
  afterEach(() => {
    expect(repo.snapshot()).toEqual(before);
  });

  test('ends by SIGINT while it computes', async () => {
    expect(await signalComputing('affected', scene, 'SIGINT')).toMatchObject(expectedEnd(scene, 'SIGINT'));
  });

  if (scene.waits === undefined) return;
  test('ends by SIGTERM with the program that it waits for', async () => {
    expect(await signalWaiting('affected', scene, 'SIGTERM')).toMatchObject(expectedEnd(scene, 'SIGTERM'));
  });
});
