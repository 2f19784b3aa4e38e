import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answerGraphql, type CommentNode } from '@tributary/github/testing/graphql-github';
import { type HttpAnswer, type LocalGitHub, refusal, startGitHub } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { HEAD, planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import { writePlan } from '../io/plan-files.js';
import { writeReceipt } from '../io/receipts.js';
import type { Receipt } from '../receipt/receipt.js';
import { asName, failedWith, failing, HOSTILE } from '../report/failed-pieces.fixture.js';

// The gate's output besides its verdict: on the terminal, in a JUnit file and in a comment on the pull request.

const cleanUp = cleanUpIn(afterAll);
const plan = planOfPieces([['ui', 'app'], ['web']]);
const [first, second] = receiptsFor(plan) as [Receipt, Receipt];
const failed: Receipt = { ...first, pieces: first.pieces.map((piece) => failedWith(piece, [failing('adds', 'expected 1')], 'FAIL')) };
let work: TempFolder;

beforeEach(() => {
  work = cleanUp.add(new TempFolder());
});

function gate(receipts: readonly Receipt[], args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  if (!existsSync(work.join('plan.json'))) writePlan(work.join('plan.json'), plan);
  for (const receipt of receipts) writeReceipt(work.join('receipts'), receipt);
  return runCli('affected', ['gate', '--plan', 'plan.json', '--receipts', 'receipts', '--commit', HEAD, ...args], { cwd: work.path, env });
}

describe('tests that failed', () => {
  test('are named above the problems', async () => {
    const { code, stdout } = await gate([failed, second]);
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      1,
      [
        'Failed test: ui: adds (packages/ui/a.test.ts:7)',
        'Failed test: app: adds (packages/ui/a.test.ts:7)',
        'Shard 01: app failed with exit code 1.',
        'Shard 01: ui failed with exit code 1.',
      ],
    ]);
  });

  test.each(HOSTILE)('are no command to the log, and no other line: %s', async (_, text) => {
    const one = {
      ...first,
      pieces: first.pieces.map((piece) => failedWith(piece, [failing(asName(text), text, { file: asName(text) })], text)),
    };
    writePlan(work.join('plan.json'), plan);
    // Anybody can write a receipt.
    work.write('receipts/01.json', JSON.stringify(one));
    const files = ['--summary', '/dev/stdout', '--junit', '/dev/stdout'];
    for (const args of [[], ['--json'], files]) {
      const { code, stdout, stderr } = await gate([second], args);
      expect(code).toBe(1);
      expect(`${stdout}\n${stderr}`.replace(/^#{1,2} |\p{Cf}/gmu, '')).not.toMatch(/##|^\s*::|[^\n\t\P{Cc}]/mu);
    }
  });

  test('are not read where a message is longer than any that is written: the receipt does not count', async () => {
    const huge = { ...first, pieces: first.pieces.map((piece) => failedWith(piece, [failing('adds', 'x'.repeat(3_000_000))])) };
    const { code, stdout } = await gate([huge, second]);
    expect([code, stdout.length < 2000]).toEqual([1, true]);
    expect(stdout).toContain('01.json is not a receipt: it has 6');
  });
});

test('with --verbose it says which shard ran a workspace', async () => {
  expect((await gate([first, second], ['--verbose'])).stderr).toBe('Shard 01: ui, app\nShard 02: web\n');
});

describe('the JUnit file', () => {
  test('is written whether the gate passes or not, and replaced', async () => {
    expect(await gate([first, second], ['--junit', 'out/junit.xml'])).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(work.join('out/junit.xml'), 'utf8')).toContain('<testsuites name="affected" tests="4" failures="0" errors="0" ');
    expect(await gate([failed, second], ['--junit', 'out/junit.xml'])).toMatchObject({ code: 1 });
    const xml = readFileSync(work.join('out/junit.xml'), 'utf8');
    expect(xml.match(/<testsuites/g)).toHaveLength(1);
    expect(xml).toContain('<testsuites name="affected" tests="4" failures="2" errors="1" ');
  });

  test('that cannot be written is a failure, after the summary', async () => {
    const { code, stdout, stderr } = await gate([first, second], ['--junit', work.path, '--summary', 'gate.md']);
    expect([code, stdout]).toEqual([1, 'All 3 planned pieces in 2 shards ran and passed.\nTested: commit aaaaaaaaaaaa.\n']);
    expect(stderr).toMatch(/^error: .* cannot be written, .* \[FILE_UNUSABLE\]\n/);
    expect(existsSync(work.join('gate.md'))).toBe(true);
  });
});

describe('the comment', () => {
  const TOKEN = 'ghs_s3cretS3cret';
  let comments: CommentNode[];

  beforeEach(() => {
    comments = [{ id: 'IC_0', viewerDidAuthor: false, body: '<!-- affected:CI%20%2F%20test -->\nmine' }];
  });

  function serve(fate: (body: string) => HttpAnswer | undefined = () => undefined): Promise<LocalGitHub> {
    return startGitHub((url, body) =>
      url.pathname.endsWith('/graphql') ? (fate(body) ?? answerGraphql({ comments }, body)) : refusal(404, 'Not Found'),
    ).then((server) => cleanUp.add(server));
  }

  function jobOf(server: LocalGitHub, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REPOSITORY: 'acme/app',
      GITHUB_API_URL: server.apiUrl,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_RUN_ID: '42',
      GITHUB_WORKFLOW: 'CI',
      GITHUB_TOKEN: TOKEN,
      ...more,
    };
  }

  test('is added once and then replaced, beside one of somebody else with the same marker', async () => {
    const env = jobOf(await serve());
    expect(await gate([failed, second], ['--comment'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The comment on pull request 7 was created.\n'),
    });
    expect(comments[1]?.body).toMatch(/^<!-- affected:CI%20%2F%20test -->\n## Not proven: 2 problems\n/);
    expect(await gate([first, second], ['--comment'], env)).toMatchObject({
      code: 0,
      stderr: 'The comment on pull request 7 was updated.\n',
    });
    expect(comments.map(({ body }) => body.split('\n')[1])).toEqual(['mine', '## All planned tests ran and passed']);
    expect(comments[1]?.body).toContain('[the run](https://github.example/acme/app/actions/runs/42)');
  });

  test('is one for each list of tasks: plans that begin with the same task do not overwrite it', async () => {
    const env = jobOf(await serve());
    await gate([first, second], ['--comment'], env);
    const { affected, changed, changedSets, outside, fileTimes, leftOut, atBase, guessed, everythingSeconds } = planOfPieces([]);
    const lint = { task: 'lint', affected, changed, changedSets, outside, fileTimes, leftOut, atBase, guessed, everythingSeconds };
    writePlan(work.join('plan.json'), planOfPieces([], { also: [lint] }));
    rmSync(work.join('receipts'), { recursive: true });
    await gate([], ['--comment'], env);
    expect(comments.slice(1).map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- affected:CI%20%2F%20test -->',
      '<!-- affected:CI%20%2F%20test%2Clint -->',
    ]);
  });

  test('has a name where there are several, of which nothing ends the marker', async () => {
    const env = jobOf(await serve());
    for (const name of ['node 20', '--><b>', 'node 20']) await gate([first, second], [`--comment=${name}`], env);
    expect(comments.slice(1).map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- affected:node%2020 -->',
      '<!-- affected:%2D%2D%3E%3Cb%3E -->',
    ]);
  });

  test.each<[title: string, fate: (body: string) => HttpAnswer | undefined, warning: string]>([
    [
      'a token that can only read, as that of a fork',
      (body) =>
        body.includes('mutation')
          ? { body: { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] } }
          : undefined,
      'warning: No comment was written. GitHub did not write the comment on pull request 7 of acme/app: Resource not accessible by integration',
    ],
    [
      'a token that may nothing',
      () => refusal(403, 'No'),
      'warning: No comment was written. GitHub did not show the comments of pull request 7',
    ],
    [
      'no such repository',
      () => refusal(404, 'Not Found'),
      'warning: No comment was written. GitHub did not show the comments of pull request 7',
    ],
  ])('is not there with %s: a warning, and the summary alone', async (_, fate, warning) => {
    const env = jobOf(await serve(fate));
    for (const [receipts, code] of [
      [[first, second], 0],
      [[failed, second], 1],
    ] as const) {
      const result = await gate(receipts, ['--comment', '--summary', 'gate.md'], env);
      expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(warning)]);
      expect(result.stderr).toMatch(/^hint: .*"pull-requests: write".* The token of a pull request from a fork is read-only\./m);
      expect(result.stderr).not.toContain(TOKEN);
    }
    expect(readFileSync(work.join('gate.md'), 'utf8')).toMatch(/^## All planned tests ran and passed\n.*\n## Not proven/s);
    expect(comments).toHaveLength(1);
  });

  test.each<[title: string, env: Readonly<Record<string, string>>, warning: string]>([
    ['a token', { GITHUB_TOKEN: '' }, 'neither GITHUB_TOKEN nor GH_TOKEN is set.'],
    ['a pull request', { GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/heads/main' }, 'this is not a job of a GitHub pull request.'],
    ['GitHub', { GITHUB_ACTIONS: '' }, 'this is not a job of a GitHub pull request.'],
    ['a token that can be one', { GITHUB_TOKEN: 'a b' }, 'The token for GitHub is empty, or has a blank'],
  ])('needs %s', async (_, env, warning) => {
    const server = await serve();
    const { code, stderr } = await gate([first, second], ['--comment'], jobOf(server, env));
    expect([code, stderr]).toEqual([0, expect.stringMatching(`^warning: No comment was written[:.] ${warning}`)]);
    expect(server.requests).toEqual([]);
  });

  test('is not written without the option', async () => {
    const server = await serve();
    expect(await gate([first, second], [], jobOf(server))).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toEqual([]);
  });
});
