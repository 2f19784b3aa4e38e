import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { readTaskInputs } from './task-inputs.js';

// Compares the tool's reading of `inputs` with turborepo's own list of hashed files. INPUTS_RUNS=400 asks more.

const cleanUp = cleanUpIn(afterAll);
const RUNS = Number(process.env['INPUTS_RUNS'] ?? 30);
const FOLDERS = { a: 'packages/a', b: 'packages/b', inner: 'packages/a/inner', odd: 'packages/x[1]' };

const names = fc.constantFrom(
  'x.ts',
  'y.ts',
  'y.test.ts',
  '.hidden',
  'data.json',
  'DATA.JSON',
  'src',
  'a b.txt',
  '[b].ts',
  'ä.ts',
  'ignored.txt',
);
const folders = fc.constantFrom('', 'src/', 'src/deep/', 'src/deep/er/', 'lib/', '.dot/', 'Src/');
const files = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('', 'packages/a/', 'packages/b/', 'packages/a/inner/', 'packages/x[1]/'), folders, names)
    .map((parts) => parts.join('')),
  { minLength: 12, maxLength: 40 },
);

const segment = fc.constantFrom(
  '*',
  '**',
  'src',
  'lib',
  'deep',
  '*.ts',
  '*.json',
  '{src,lib}',
  '*.{ts,json}',
  '.dot',
  '.*',
  'x.ts',
  '*.*.ts',
  'y*',
  '*e*',
);
const odd = fc.constantFrom('?.ts', '[a-z].ts', '(?i)data.json', 'src**', '**.ts', 'a b.txt', '\\[b\\].ts', '<x:1>.ts', 'ä.ts', '$x');
const path = fc
  .array(fc.oneof({ weight: 29, arbitrary: segment }, { weight: 1, arbitrary: odd }), { minLength: 1, maxLength: 4 })
  // turborepo refuses two `**` side by side.
  .map((parts) => parts.filter((part, at) => !(part.startsWith('**') && parts[at - 1]?.endsWith('**') === true)).join('/'));
const place = fc.constantFrom('', '', '', '', './', '../a/', '../b/', '../../', '$TURBO_ROOT$/', '$TURBO_ROOT$/packages/a/', 'src/../');
const glob = fc.tuple(fc.constantFrom('', '', '!'), place, path, fc.constantFrom('', '', '/', '/**')).map((parts) => parts.join(''));
const inputs = fc
  .array(fc.oneof({ weight: 5, arbitrary: glob }, { weight: 1, arbitrary: fc.constant('$TURBO_DEFAULT$') }), { maxLength: 5 })
  .filter((globs) => !globs.some((one) => /\*\*\/\*\*|\*\*\/\/|[^*]\*\*\/\*\*/.test(one)));

interface DryTask {
  readonly task: string;
  readonly directory: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** Returns turborepo's answer for all tasks together; `undefined` if it refuses one of the globs. */
async function askTurbo(repo: TempRepo, tasks: readonly string[]): Promise<readonly DryTask[] | undefined> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cleanUp.add(createHome()).path, TURBO_TELEMETRY_DISABLED: '1' };
  const turbo = join(findProjectRoot(), 'node_modules/.bin/turbo');
  const { code, stdout, stderr } = await runProcess(turbo, ['run', ...tasks, '--dry=json', '--no-update-notifier'], {
    cwd: repo.path,
    env,
  });
  if (code === 0) return JSON.parse(stdout).tasks;
  if (/glob/.test(stderr)) return undefined;
  throw new Error(stderr);
}

function createRepo(paths: readonly string[]): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  const scripts = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`t${at}`, 'node -e 0']));
  const packages = Object.fromEntries(Object.entries(FOLDERS).map(([name, folder]) => [folder, { name, version: '1.0.0', scripts }]));
  // A path cannot be a file and a folder.
  const possible = paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
  repo.write(monorepoFiles({ packages, files: Object.fromEntries(possible.map((one) => [one, `${one}\n`])) }));
  repo.write({ '.gitignore': '.turbo\nignored.txt\n', 'turbo.json': '{}\n' });
  repo.git('add', '--all', '--force');
  repo.git('commit', '-q', '-m', 'Files');
  return repo;
}

let compared = 0;
let certain = 0;

test('what is read out of inputs is what turborepo hashes', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.array(inputs, { minLength: 8, maxLength: 8 }), async (paths, lists) => {
      const repo = createRepo(paths);
      const tasks = lists.map((_, at) => `t${at}`);
      repo.write({ 'turbo.json': JSON.stringify({ tasks: Object.fromEntries(lists.map((list, at) => [`t${at}`, { inputs: list }])) }) });
      const answer = await askTurbo(repo, tasks);
      if (answer === undefined) return;
      const tracked = repo
        .git('ls-files', '-z')
        .split('\0')
        .filter((one) => one !== '');
      const wrong = answer.flatMap(({ task, directory, inputs: hashes }) => {
        const list = lists[Number(task.slice(1))] ?? [];
        const read = readTaskInputs(list, directory);
        const listed = new Set(Object.keys(hashes).map((one) => join(directory, one)));
        return tracked.flatMap((file) => {
          const said = read.hashed(file);
          compared++;
          if (said !== 'unknown') certain++;
          // If a glob leads below a file, turborepo lists files in another way, without those that git ignores.
          if (file.endsWith('ignored.txt') && list.includes('$TURBO_DEFAULT$')) return [];
          const isWrong = said !== 'unknown' && (said === 'hashed') !== listed.has(file);
          return isWrong ? [`${JSON.stringify(list)} of ${directory}: ${file} is ${said}`] : [];
        });
      });
      expect([...new Set(wrong)]).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  // The answers must not be mostly `unknown`.
  expect(compared).toBeGreaterThan(5000);
  expect(certain / compared).toBeGreaterThan(0.5);
}, 600_000);
