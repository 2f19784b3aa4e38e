import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatObservations, type Observation } from '@tributary/affected/observe/kept-file.fixture';
import type { Environment } from '@tributary/process/environment';
import { cpuOf } from './affected-process.js';
import type { Ours } from './affected-rows.js';
import type { Bar } from './affected-table.js';
import { type LargeMonorepo, makeLargeMonorepo } from './large-monorepo.js';
import { measureInTurn } from './measure.js';

// What one test file uses, as in traced jest suites: most of it are look-ups of settings and modules that are not there.
const OF_EACH = 40;
const OF_ALL = 60;
const NAMES = ['src', 'lib', 'babel.config', 'package', 'index', 'fixtures', 'browserslist', 'setup'];

/** Measures how large the observations of so many test files are, and the processor time of a question with them over one without. */
export async function measureObserved(
  testFiles: number,
  { ours, env, work }: { ours: Ours; env: Environment; work: string },
): Promise<Bar[]> {
  const made = makeLargeMonorepo({ workspaces: 1000, externals: 300, seed: 1 });
  try {
    const file = join(work, 'observations.json');
    const text = formatObservations(observationsOf(made, testFiles));
    writeFileSync(file, text);
    const packed = gzipSync(text).length;
    console.log(`  ${testFiles} test files: ${(text.length / 1e6).toFixed(1)} MB, ${(packed / 1e6).toFixed(2)} MB compressed`);
    const { command } = ours.row('affected', { cwd: made.repo.path, base: 'main' });
    const times: [number[], number[]] = [[], []];
    const commands = [command, { ...command, args: [...command.args, '--observations', file, '--task', 'test'] }];
    const contestants = commands.map((one, at) => ({ name: '', run: async () => void times[at]?.push(await cpuOf(one, env)) }));
    await measureInTurn(contestants, 7);
    const [without = Number.NaN, value = Number.NaN] = times.map((all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]);
    console.log(`  ${without.toFixed(0)} ms of processor time without observations, ${value.toFixed(0)} ms with them`);
    return [
      { subject: `observations of ${testFiles} test files, MB compressed`, value: packed / 1e6, atMost: 20 },
      { subject: 'with observations, over without', value: value / without, atMost: 1.5 },
    ];
  } finally {
    made.repo.dispose();
  }
}

/** Returns one observation for each workspace, with the same number of test files. */
function observationsOf({ plan, repo }: LargeMonorepo, testFiles: number): readonly Observation[] {
  const commit = repo.git('rev-parse', 'main').trim();
  const own = Math.ceil(testFiles / plan.packages.length);
  return plan.packages.map(({ name, folder }): Observation => {
    const path = (kind: string, at: number): string => `${folder}/${NAMES[at % NAMES.length]}/${kind}-${at}.js`;
    const files = [`${folder}/src/model.ts`, ...Array.from({ length: own * 8 }, (_, at) => path('source', at))].sort();
    const absent = Array.from({ length: OF_ALL + own * OF_EACH }, (_, at) => path('absent', at)).sort();
    const found = ['.', 'packages', folder, `${folder}/package.json`];
    const tools = ['package.json', 'yarn.lock'];
    const firstAbsent = files.length + found.length + tools.length;
    const placesOf = (test: number): readonly number[] => [
      ...Array.from({ length: 8 }, (_, at) => 1 + test * 8 + at),
      ...Array.from({ length: OF_EACH }, (_, at) => firstAbsent + OF_ALL + test * OF_EACH + at),
    ];
    const each = Array.from({ length: own }, (_, test) => [`src/${NAMES[test % NAMES.length]}-${test}.test.ts`, placesOf(test)] as const);
    return {
      schemaVersion: 1,
      version: '0.1.0',
      tracer: 'strace 6.1 --seccomp-bpf',
      commit,
      platform: { os: process.platform, arch: process.arch, node: process.versions.node.split('.')[0] ?? '' },
      command: ['turbo', 'run', 'test', `--filter=${name}`],
      folder: '.',
      workspace: name,
      task: 'test',
      plan: commit,
      exit: 0,
      complete: true,
      gaps: [],
      files,
      found,
      absent,
      listed: [{ path: folder, hash: commit }],
      packages: Array.from({ length: 30 }, (_, at) => ({ name: `external-${at}`, version: '1.0.0' })),
      programs: ['/usr/bin/node'],
      nested: [],
      connections: [],
      testFiles: { shared: Array.from({ length: OF_ALL }, (_, at) => firstAbsent + at), search: [], each: Object.fromEntries(each) },
      apart: { written: [], ignored: [], caches: [], tools, toolLists: [], outside: [] },
    };
  });
}
