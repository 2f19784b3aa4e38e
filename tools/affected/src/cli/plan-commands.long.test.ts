import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runCli, runProcess } from '@tributary/test-repo/run-cli';
import { compileSchema } from '@tributary/test-repo/schemas';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { affectedOf, HEAD, planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import { readTimings, writePlan } from '../io/plan-files.js';
import { writeReceipt } from '../io/receipts.js';
import type { Plan } from '../plan/plan.js';

// User errors in the commands that distribute tests: each has an error code, and none looks like a bug of the tool.

const cleanUp = cleanUpIn(afterAll);
let repo: TempRepo;
let work: TempFolder;

beforeAll(() => {
  const packages = { 'packages/app': { scripts: { test: 'jest' } } };
  repo = cleanUp.add(createTempMonorepo({ packages, files: { 'turbo.json': '{ "tasks": { "test": {} } }', 'package-lock.json': '{}' } }));
  // An empty commit.
  repo.commit('Empty');
});

beforeEach(() => {
  work = cleanUp.add(new TempFolder());
});

function affected(...args: readonly string[]): Promise<CliResult> {
  return runCli('affected', args, { cwd: repo.path });
}

/** Writes a plan of two shards, and the receipts of the first `count` shards. Returns the options that name them. */
function givePlan(count: number, task = 'test'): readonly string[] {
  const plan = planOfPieces([['ui'], ['app']], { task });
  writePlan(work.join('plan.json'), plan);
  for (const receipt of receiptsFor(plan).slice(0, count)) writeReceipt(work.join('receipts'), receipt);
  return ['--plan', work.join('plan.json'), '--receipts', work.join('receipts')];
}

const GATE = ['gate', '--commit', HEAD] as const;

const refusal = (file: string, what: 'read' | 'written'): unknown =>
  expect.stringMatching(
    new RegExp(`^error: ${file.replaceAll('.', '\\.')} cannot be ${what}, because .* \\[FILE_UNUSABLE\\]\nhint: `, 'm'),
  );

describe('the events of a gate', () => {
  test('are added to a file, whether it passes or not', async () => {
    const events = work.join('events.ndjson');
    const change = { reasons: [{ kind: 'file', file: 'packages/ui/a.ts', others: 0 }] };
    for (const count of [2, 1]) {
      const affectedOnes = affectedOf(['ui', 'app']);
      const workspaces = affectedOnes.workspaces.map((one) => (one.name === 'ui' ? { ...one, ...change } : one));
      const plan = planOfPieces([['ui'], ['app']], { affected: { ...affectedOnes, workspaces } as typeof affectedOnes });
      writePlan(work.join('plan.json'), plan);
      for (const receipt of receiptsFor(plan).slice(0, count)) writeReceipt(work.join(`receipts-${count}`), receipt);
      const place = ['--plan', work.join('plan.json'), '--receipts', work.join(`receipts-${count}`)];
      expect(await affected(...GATE, ...place, '--events', events, '--repo', 'acme/app')).toMatchObject({ code: count === 2 ? 0 : 1 });
    }
    const lines = readFileSync(events, 'utf8').trimEnd().split('\n');
    const own = { package: 'ui', repo: 'acme/app', stage: 'post-merge-tests' };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...own, outcome: 'success' },
      { ...own, outcome: 'failure' },
    ]);
  });

  test('need a name for the repository', async () => {
    const { code, stderr } = await affected(...GATE, ...givePlan(2), '--events', work.join('events.ndjson'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--repo acme/app')]);
    expect(readdirSync(work.path)).not.toContain('events.ndjson');
  });

  test('that cannot be written down are a failure', async () => {
    const { code, stderr } = await affected(...GATE, ...givePlan(2), '--events', work.path, '--repo', 'acme/app');
    expect([code, stderr]).toEqual([1, refusal(work.path, 'written')]);
  });
});

describe('a file that cannot be written', () => {
  const plan = ['plan', '--head', 'HEAD', '--base', 'HEAD~1'];

  test('is no place for a plan', async () => {
    expect(await affected(...plan, '--out', work.path)).toMatchObject({ code: 1, stdout: '', stderr: refusal(work.path, 'written') });
    expect(readdirSync(work.path)).toEqual([]);
    expect(await affected(...plan, '--out', '/dev/null/x')).toMatchObject({ code: 1, stderr: refusal('/dev/null/x', 'written') });
  });

  test('is no place for its summary', async () => {
    const out = work.join('plan.json');
    expect(await affected(...plan, '--out', out, '--summary', work.path)).toMatchObject({ code: 1, stderr: refusal(work.path, 'written') });
    expect(readdirSync(work.path)).toEqual(['plan.json']);
  });

  test('is no place for timings', async () => {
    const receipts = givePlan(2).slice(2);
    mkdirSync(work.join('into'));
    const into = work.join('into');
    expect(await affected('timings', 'collect', ...receipts, '--into', into)).toMatchObject({ code: 1, stderr: refusal(into, 'written') });
  });
});

describe('what is written to, and not replaced', () => {
  const plan = ['plan', '--head', 'HEAD', '--base', 'HEAD~1', '--quiet'];
  const inShell = (script: string): Promise<CliResult> =>
    runProcess('bash', ['-c', script, process.execPath, join(findProjectRoot(), 'tools/affected/out/cli.cjs'), ...plan], {
      cwd: repo.path,
    });

  // A separate device: to replace one of the machine's own by a file would break the machine.
  test('is a device', async () => {
    const device = work.join('null');
    if (spawnSync('mknod', [device, 'c', '1', '3']).status !== 0) return;
    const receipts = givePlan(2).slice(2);
    const { code } = await affected(...plan, '--out', device, '--summary', device);
    const collected = await affected('timings', 'collect', ...receipts, '--into', device);
    const gated = await affected(...GATE, ...givePlan(2), '--summary', device, '--events', device, '--repo', 'acme/app');
    expect([code, collected.code, gated.code, lstatSync(device).isCharacterDevice()]).toEqual([0, 0, 0, true]);
  });

  test.each([
    ['a socket, as Node gives it to a program', '"$0" "$@" --out /dev/stdout'],
    ['a pipe', '"$0" "$@" --out /dev/stdout | cat'],
    ['another program', '"$0" "$@" --out >(cat) | cat'],
    ['a named pipe', 'p=$(mktemp -u) && mkfifo "$p" && { cat "$p" & "$0" "$@" --out "$p"; wait; rm "$p"; }'],
    ['a file that the shell has opened, where the output goes too', 'f=$(mktemp) && "$0" "$@" --out /dev/stdout > "$f"; cat "$f"; rm "$f"'],
  ])('is %s', async (_, script) => {
    const { stdout, stderr } = await inShell(script);
    // Two programs may write at the same time: the table is before the plan or after it.
    const table = '0 of 2 workspaces affected. Nothing to run.\n';
    expect([stderr, stdout.includes(table), JSON.parse(stdout.replace(table, ''))]).toEqual([
      '',
      true,
      expect.objectContaining({ task: 'test' }),
    ]);
  });
});

test('a name that ends like a folder is no file, although there is none', async () => {
  const out = `${work.join('new')}/`;
  expect(await affected('plan', '--base', 'HEAD~1', '--out', out)).toMatchObject({ code: 1, stderr: refusal(work.join('new'), 'written') });
  expect(readdirSync(work.path)).toEqual([]);
});

// Otherwise the times of `lint` would be stored as those of `test`.
test.each<[title: string, options: readonly string[], task: string]>([
  ['the task of their plan', ['--plan'], 'lint'],
  ['the task that is named, before that of the plan', ['--plan', '--task=check'], 'check'],
  ['`test` without either', [], 'test'],
])('times of receipts are kept for %s', async (_, [plan, ...options], task) => {
  const [, file = '', ...receipts] = givePlan(2, 'lint');
  const given = [...(plan === undefined ? [] : [plan, file]), ...options, ...receipts];
  expect(await affected('timings', 'collect', ...given, '--into', work.join('timings.json'))).toMatchObject({ code: 0 });
  expect([...(readTimings(work.join('timings.json')) ?? new Map()).keys()]).toEqual([`app#${task}`, `ui#${task}`]);
});

test('timings collect and emit answer with one document for --json', async () => {
  const [, file = '', ...receipts] = givePlan(2, 'lint');
  const into = work.join('timings.json');
  const collected = await affected('timings', 'collect', '--json', '--plan', file, ...receipts, '--into', into);
  expect(JSON.parse(collected.stdout)).toEqual({ schemaVersion: 1, file: into, collected: ['app#lint', 'ui#lint'], tasks: 2 });
  const [text, document] = [await affected('emit', 'github', '--plan', file), await affected('emit', 'github', '--plan', file, '--json')];
  expect(JSON.parse(document.stdout)).toEqual({ schemaVersion: 1, engine: 'github', configuration: text.stdout });
  expect(compileSchema('affected', 'timings-result')(JSON.parse(collected.stdout))).toBe(true);
  expect(compileSchema('affected', 'emit-result')(JSON.parse(document.stdout))).toBe(true);
});

test('a folder of receipts that is not there is an error, unless it may be missing', async () => {
  const into = ['--into', work.join('timings.json')];
  expect(await affected('timings', 'collect', '--receipts', work.join('recipts'), ...into)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`No such file or folder: ${work.join('recipts')}. [FILE_UNUSABLE]`),
  });
  expect(await affected('timings', 'collect', ...into)).toMatchObject({ code: 2, stderr: expect.stringContaining('[USAGE]') });
  expect(existsSync(work.join('timings.json'))).toBe(false);
  const allowed = await affected('timings', 'collect', '--allow-missing', '--receipts', work.join('recipts'), ...into);
  expect(allowed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`warning: No such file or folder: ${work.join('recipts')}.\n`),
  });
  expect(await affected('timings', 'collect', '--allow-missing', ...into)).toMatchObject({ code: 0 });
});

test('a folder among timings is an error that names it', async () => {
  mkdirSync(work.join('timings/x.json'), { recursive: true });
  const asked = ['plan', '--base', 'HEAD~1', '--out', work.join('plan.json'), '--timings', work.join('timings')];
  expect(await affected(...asked)).toMatchObject({ code: 1, stderr: refusal(work.join('timings/x.json'), 'read') });
});

describe('a summary of the gate that cannot be written', () => {
  test('does not keep its verdict back', async () => {
    const { code, stdout, stderr } = await affected(...GATE, ...givePlan(2), '--summary', work.path);
    expect([code, stdout]).toEqual([1, 'All 2 planned pieces in 2 shards ran and passed.\nTested: commit aaaaaaaaaaaa.\n']);
    expect(stderr).toEqual(refusal(work.path, 'written'));
  });

  test('leaves one document on stdout', async () => {
    const { code, stdout, stderr } = await affected(...GATE, '--json', ...givePlan(2), '--summary', work.path);
    expect([code, JSON.parse(stdout)]).toEqual([1, { schemaVersion: 2, passed: true, problems: [], leftOut: [], notes: [], commit: HEAD }]);
    expect(stderr).toEqual(refusal(work.path, 'written'));
  });
});

describe('the plan of another task', () => {
  /** Returns the planned workspaces of a task after a change of one file of the root. */
  async function planned(task: string, file: string): Promise<readonly string[]> {
    const packages = { 'packages/app': { scripts: { test: 'jest', lint: 'eslint', docs: 'x' } } };
    const turbo = '{ "tasks": { "test": {}, "lint": {}, "docs": {} } }';
    const other = cleanUp.add(createTempMonorepo({ packages, files: { 'turbo.json': turbo, 'package-lock.json': '{}' } }));
    other.commit('Change', { files: { [file]: 'x\n' } });
    const run = await runCli('affected', ['plan', '--json', '--base', 'HEAD~1', '--task', task, '--out', work.join('p.json')], {
      cwd: other.path,
    });
    return (JSON.parse(run.stdout) as Plan).affected.workspaces.map(({ name }) => name);
  }

  test.each<[task: string, file: string, workspaces: readonly string[]]>([
    ['test', 'eslint.config.js', []],
    ['lint', 'eslint.config.js', ['monorepo', 'app']],
    ['docs', 'eslint.config.js', ['monorepo', 'app']],
    ['test', 'README.md', []],
    ['docs', 'README.md', ['monorepo', 'app']],
    ['lint', '.github/CODEOWNERS', []],
  ])('%s, after a change of %s: %j', async (task, file, workspaces) => {
    expect(await planned(task, file)).toEqual(workspaces);
  });
});

describe('a work tree with changes that are not committed', () => {
  const DIRTY = /^warning: (There are uncommitted changes|The working tree differs)/m;

  test('is named by plan, unless another commit is planned; a file that is not tracked makes none', async () => {
    const plan = ['plan', '--base', 'HEAD~1', '--out', work.join('plan.json')];
    repo.write({ 'untracked.json': '{}' });
    expect((await affected(...plan)).stderr).not.toMatch(DIRTY);
    repo.write({ 'turbo.json': '{ "tasks": { "test": { "cache": false } } }' });
    expect((await affected(...plan)).stderr).toMatch(DIRTY);
    expect((await affected(...plan, '--head', 'HEAD')).stderr).not.toMatch(DIRTY);
  });

  test('is named by run-shard, which runs what lies there', async () => {
    const head = repo.id('HEAD');
    writePlan(work.join('plan.json'), planOfPieces([['app']], { affected: { ...affectedOf(['app']), head } }));
    const { stderr } = await affected('run-shard', '01', '--plan', work.join('plan.json'), '--receipts', work.join('receipts'));
    expect(stderr).toMatch(DIRTY);
    repo.git('checkout', '-q', '--', '.');
  });
});

test('where receipts belong is no file: the shard is not even begun', async () => {
  writeFileSync(work.join('file'), '');
  const given = ['--plan', givePlan(0)[1] ?? '', '--receipts', work.join('file')];
  expect(await affected('run-shard', '01', ...given)).toMatchObject({
    code: 1,
    stderr: refusal(join(work.path, 'file', '01.json'), 'written'),
  });
});

describe('a gate that does not pass', () => {
  const MISSING = (shard: string, name: string): string =>
    `Shard ${shard} has no receipt: it was cancelled, or never ran. Planned there: ${name}.`;
  const missing = 'hint: Missing: see the log of that shard for the cause, and run it again.';

  test('says so with a code, a sentence for each problem, and a hint for each kind', async () => {
    const { code, stdout, stderr } = await affected(...GATE, ...givePlan(1));
    expect([code, stdout]).toEqual([1, `${MISSING('02', 'app')}\n`]);
    expect(stderr.trimEnd().split('\n')).toEqual(['error: The gate has not passed: 1 problem. [GATE_NOT_PROVEN]', missing]);
  });

  test('has the same in its one document', async () => {
    const { code, stdout } = await affected(...GATE, '--json', ...givePlan(1));
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        schemaVersion: 2,
        passed: false,
        problems: [{ kind: 'missing', shard: '02', message: MISSING('02', 'app') }],
        leftOut: [],
        notes: [],
        commit: HEAD,
        error: {
          code: 'GATE_NOT_PROVEN',
          message: 'The gate has not passed: 1 problem.',
          hint: missing.replace('hint: ', ''),
          data: { kinds: ['missing'] },
        },
      },
    ]);
  });

  test.each<[title: string, place: string, message: RegExp]>([
    ['nothing', 'gone', /^The folder .*gone for receipts does not exist\.$/],
    ['a file', 'file', /^.*file is not a folder\. --receipts needs a folder\.$/],
    ['an empty folder', 'empty', /^The folder .*empty has no receipts\.$/],
  ])('tells %s in the place of receipts apart from the receipt that a shard lacks', async (_, place, message) => {
    writeFileSync(work.join('file'), '');
    mkdirSync(work.join('empty'));
    const [first, second] = givePlan(0);
    const { code, stdout, stderr } = await affected(...GATE, first ?? '', second ?? '', '--receipts', work.join(place));
    expect([code, stdout.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(message), MISSING('01', 'ui'), MISSING('02', 'app')]]);
    expect(stderr.trimEnd().split('\n').slice(1)).toEqual([expect.stringMatching(/^hint: Empty: /), missing]);
  });
});
