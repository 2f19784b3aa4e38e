import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { StageWitness } from './stage-witness.js';

// What makes a gate green over a broken test through a build stage: a file that the shards lack, or have otherwise. Each attempt must be seen.

const repo = cleanUpIn(afterAll).add(TempRepo.create());
repo.write({ 'src/a.js': '1', '.gitignore': 'dist\ngen\nnode_modules\n.turbo\n' });
repo.commit('Start');
repo.git('tag', 'start');

beforeEach(() => {
  repo.git('reset', '--quiet', '--hard', 'start');
  repo.git('clean', '-ffdxq');
  write('node_modules/dep/index.js', '1');
});

function write(path: string, text: string): void {
  const file = join(repo.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface Attempt {
  readonly build?: () => void;
  /** What turborepo brings back; `dist/out` anyway. */
  readonly restore?: () => void;
  /** The outputs of the build of `ui`, which has just run. */
  readonly restores?: readonly string[];
  /** Milliseconds after all that when the build of `ui` began. */
  readonly beganAfter?: number;
}

/** Lets a build make `dist/out`, and returns the doubt. */
async function watch({ build, restore, restores = [], beganAfter = -60_000 }: Attempt): Promise<string | undefined> {
  const root = repo.path as AbsolutePath;
  const witness = new StageWitness({ root, project: '', commit: 'start', except: [join(root, 'stage'), join(root, 'plan.json')] });
  const begin = await witness.begin();
  if (begin !== undefined) return begin;
  write('dist/out', '1');
  build?.();
  const times = { startedAt: Date.now() + beganAfter, endedAt: Date.now() + 60_000 };
  witness.see([{ workspace: 'ui', task: 'build', hash: 'a', state: 'executed', exit: 0, ...times, restores: ['dist/out', ...restores] }]);
  const doubt = await witness.doubt();
  witness.removeMade();
  if (doubt !== undefined) return doubt;
  write('dist/out', '1');
  restore?.();
  return witness.findLost();
}

const link = (target: string) => (): void => symlinkSync(target, join(repo.path, 'dist/link'));
/** Runs a program in the repository. */
const run =
  (program: string, ...args: readonly string[]) =>
  (): void => {
    write('gen/a', '1');
    execFileSync(program, args, { cwd: join(repo.path, 'gen') });
  };

test.each<[what: string, attempt: Attempt]>([
  ['nothing but its outputs', {}],
  ['an empty file', { build: () => write('dist/empty', ''), restore: () => write('dist/empty', '') }],
  ['a link', { build: link('out'), restore: link('out') }],
  ['the log of turborepo', { build: () => write('.turbo/turbo-build.log', '1') }],
  ['a cache of its compiler', { build: () => write('node_modules/.cache/x', '1') }],
])('no doubt: a build leaves %s', async (_, attempt) => expect(await watch(attempt)).toBeUndefined());

test.each<[what: string, doubt: string, attempt: Attempt]>([
  ['a file outside of the outputs', 'gen/a.test.js is in no outputs', { build: () => write('gen/a.test.js', '1') }],
  ['a file beside the logs of turborepo', '.turbo/x/a.test.js is in no', { build: () => write('packages/ui/.turbo/x/a.test.js', '1') }],
  ['a new package', 'node_modules/gen/a.js is in no outputs', { build: () => write('node_modules/gen/a.js', '1') }],
  ['a package changed', 'they change node_modules/dep/index.js', { build: () => write('node_modules/dep/index.js', '2') }],
  ['a package removed', 'they change node_modules/dep/index.js', { build: () => rmSync(join(repo.path, 'node_modules/dep/index.js')) }],
  ['a file of the commit changed', 'they change src/a.js, which was there before', { build: () => write('src/a.js', '2') }],
  ['a file of the commit removed', 'they change src/a.js', { build: () => rmSync(join(repo.path, 'src/a.js')) }],
  [
    'a file of the commit changed, and committed',
    'they change src/a.js',
    {
      build: () => {
        write('src/a.js', '2');
        repo.commit('Hide');
      },
    },
  ],
  ['a named pipe', 'gen/pipe is in no outputs', { build: run('mkfifo', 'pipe'), restore: () => write('gen/a', '1') }],
  ['a repository of its own', 'gen/.git/', { build: run('git', 'init', '--quiet'), restore: () => write('gen/a', '1') }],
  ['other content', 'turborepo restores dist/out with other content', { restore: () => appendFileSync(join(repo.path, 'dist/out'), '2') }],
  ['a link to elsewhere', 'turborepo restores dist/link with other content', { build: link('out'), restore: link('other') }],
  [
    'no file, but one is restored',
    'turborepo restores dist/old, which another build had removed',
    { restore: () => write('dist/old', '1') },
  ],
  [
    'a file in the outputs of a later build',
    'dist/gen is in the outputs of ui#build, which did not make it',
    { build: () => write('dist/gen', '1'), restores: ['dist/gen'], beganAfter: 30_000 },
  ],
])('doubt: a build leaves %s', async (_, doubt, attempt) => expect(await watch(attempt)).toContain(doubt));

test.each<[what: string, doubt: string, before: () => void]>([
  ['an ignored file', 'gen/a.test.js was there before', () => write('gen/a.test.js', '1')],
  ['an untracked file', 'a.test.js was there before', () => write('a.test.js', '1')],
  ['an output', 'dist/out was there before', () => write('dist/out', '1')],
  ['a changed file of the commit', 'src/a.js differs from the commit', () => write('src/a.js', '2')],
])('doubt: %s lies there before the builds', async (_, doubt, before) => {
  before();
  expect(await watch({})).toContain(doubt);
});

test.each(['plan.json', 'stage/01/x', '.tributary/timings.json', '.yarn/install-state.gz', '.pnp.cjs', '.husky/_/h', 'node_modules/x/y'])(
  'no doubt: %s lies there before the builds',
  async (path) => {
    write(path, '1');
    expect(await watch({})).toBeUndefined();
  },
);
