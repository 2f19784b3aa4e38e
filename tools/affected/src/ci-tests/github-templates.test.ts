import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';

const root = findProjectRoot();
/** This project's own workflows: the first one calls the second for each ring of tests. */
const ownCaller = '.github/workflows/ci.yml';
const own = '.github/workflows/ring.yml';
/** The workflows with other jobs. */
const others = readdirSync(join(root, '.github/workflows'))
  .map((name) => `.github/workflows/${name}`)
  .filter((file) => file !== own);
const theAction = 'ci/github/action.yml';
const oneJob = 'ci/github/one-job.yml';
const workflow = 'ci/github/workflow.yml';
/** The workflows with the three jobs. */
const workflows = [workflow, own];

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns the scripts that a runner gives to a shell: the text after each `run:`, and the lines below it with a deeper indent. */
function scriptsIn(text: string): readonly string[] {
  return [...text.matchAll(/^( *)(?:- )?run: (.*\n(?:\1 {2}.*\n|\n)*)/gm)].map(([, , script = '']) => script);
}

test('the scripts of a workflow are found', () => {
  const text = 'steps:\n  - run: a\n  - name: x\n    run: |\n      b {{ c }}\n      d\n    env: e\n';
  expect(scriptsIn(text)).toEqual(['a\n', '|\n      b {{ c }}\n      d\n']);
});

describe.each([...workflows, ...others, theAction, oneJob])('%s', (file) => {
  const text = read(file);

  test('pins each action of others by its commit, with the version beside it', () => {
    const used = [...text.matchAll(/^ +(?:- )?uses: (.*)/gm)].map(([, action = '']) => action).filter((action) => !action.startsWith('./'));
    expect(used.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('puts nothing into the text of a script, where the name of a branch would be run', () => {
    expect(scriptsIn(text).filter((script) => script.includes('{{'))).toEqual([]);
  });

  test('reads nothing that the author of a pull request chooses', () => {
    expect(text).not.toMatch(/github\.(head_ref|event\.|actor)|^ *(pull_request_target|workflow_run):/m);
  });
});

describe.each(workflows)('%s', (file) => {
  const text = read(file);

  test('uses the same commit of an action everywhere', () => {
    const pins = new Map<string, Set<string>>();
    for (const [, action = '', pin = ''] of [text, read(theAction)].join('').matchAll(/uses: (actions\/[\w-]+)\S*@(\S+)/g))
      pins.set(action, (pins.get(action) ?? new Set()).add(pin));
    expect([...pins].filter(([, found]) => found.size !== 1)).toEqual([]);
  });

  test('may read, and nothing else', () => {
    expect(text).toMatch(/^permissions:(?: \{ actions: read,|\n {2})(?= ?contents: read\b)/m);
    expect(text).not.toMatch(/: (write|write-all|read-all)\b/);
  });

  test('leaves no token behind in a checkout', () => {
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/uses: actions\/checkout@/g)?.length ?? 0);
  });

  // GitHub fails a run with an empty matrix. act runs one leg without values.
  test('makes no shard job where there is nothing to do', () => {
    expect(jobIn(text, 'shards')).toMatch(/^ {4}if: needs\.plan\.outputs\.has_work == 'true'/m);
  });

  test('lets no failure of a shard cancel the others', () => {
    expect(jobIn(text, 'shards')).toContain('fail-fast: false');
  });

  // A skipped check counts as passed, and GitHub would skip the job after a failure or a cancellation.
  test('always runs the gate, under the one name that a team requires', () => {
    expect(jobIn(text, 'gate')).toMatch(/^(?: {4}name: gate\n)? {4}needs: \[plan, shards\]\n {4}if: always\(\)/);
  });

  test('tells the gate where the plan is, and how it and the shards ended', () => {
    expect(jobIn(text, 'gate')).toMatch(/ plan: "?\$\{\{ needs\.plan\.outputs\.plan \}\}"?[,\n]/);
    expect(jobIn(text, 'gate')).toMatch(/ results: "?\$\{\{ join\(needs\.\*\.result\) \}\}"?[ \n]/);
  });
});

describe.each([workflow, oneJob, ownCaller])('%s', (file) => {
  test('runs for pull requests, the merge queue and main', () => {
    expect(read(file)).toMatch(
      /^on:.*\n {2}pull_request:\n {2}merge_group:.*\n {2}push:(?:\n {4}branches: \[main\]| \{ branches: \[main\] \})\n/m,
    );
  });

  test('cancels the runs of pull requests alone', () => {
    const group = `\${{ github.workflow }}-\${{ github.event_name == 'pull_request' && github.ref || github.run_id }}`;
    const cancel = `\${{ github.event_name == 'pull_request' }}`;
    expect(
      [
        `concurrency: { group: "${group}", cancel-in-progress: "${cancel}" }\n`,
        `concurrency:\n  group: ${group}\n  cancel-in-progress: ${cancel}\n`,
      ].filter((one) => read(file).includes(one)),
    ).toHaveLength(1);
  });
});

test.each([
  [workflow, 39],
  // One more is for an input, such as the version of Node.
  [oneJob, 14],
])('%s tests everything at night, and has %i lines', (file, lines) => {
  expect(read(file)).toMatch(/^ {2}schedule: \[\{ cron: '\d+ \d+ \* \* \*'/m);
  expect(read(file).trimEnd().split('\n')).toHaveLength(lines);
});

test('the check that this project requires always runs, and demands every ring and the checks', () => {
  const gate = jobIn(read(ownCaller), 'gate');
  expect(gate).toMatch(/^ {4}name: gate\n {4}needs: \[rings, checks\]\n {4}if: always\(\)/m);
  expect(gate).toContain('[ "$CHECKS_RESULT" = success ] && [ "$RINGS_RESULT" = success ]');
});

describe('the action', () => {
  const steps = read(theAction).split(/\n {4}(?=- )/);
  const stepsWith = (text: string): readonly string[] => steps.filter((step) => step.includes(text));

  test('hands the token that writes to the remote cache to pushes alone', () => {
    const [run = '', ...others] = stepsWith('inputs.turbo-token');
    expect([run, others]).toEqual([expect.stringContaining(' run-shard '), []]);
    expect(run.split('\n').filter((line) => line.includes('inputs.turbo-token'))).toEqual([
      `        TURBO_TOKEN: \${{ github.event_name == 'push' && inputs.turbo-token || inputs.turbo-read-token }}`,
    ]);
    expect(run).toContain(`TURBO_CACHE: \${{ github.event_name == 'push' && 'local:rw,remote:rw' || 'local:rw,remote:r' }}\n`);
  });

  test('runs the tests without the token of GitHub', () => {
    for (const step of [...stepsWith(' run-shard '), ...stepsWith('eval "$INSTALL"')])
      expect(step).not.toMatch(/GITHUB_TOKEN|inputs\.token/);
  });

  test('keeps receipts however the tests end, for each leg and attempt', () => {
    const [kept = ''] = stepsWith('-receipts-${{');
    expect(kept).toContain("if: always() && inputs.part == 'shard'");
    expect(kept).toContain(`-receipts-\${{ steps.part.outputs.leg }}-\${{ github.run_attempt }}\n`);
  });

  // `test:unit` has a character that GitHub refuses, and jobs of a matrix have the same inputs.
  test('names no artifact after an input', () => {
    for (const step of stepsWith('actions/upload-artifact@')) expect(step).not.toMatch(/^ +name: .*\binputs\.(?!plan\b)/m);
  });

  // If a job that runs again leaves no receipt, the receipt of the earlier attempt stays.
  test('takes no receipts of jobs that did not pass, and keeps no times of them', () => {
    const at = (text: string): number => steps.findIndex((step) => step.includes(text));
    expect(at('affected gate ')).toBeLessThan(at('echo "The jobs ended with: '));
    expect(at('echo "The jobs ended with: ')).toBeLessThan(at('Collect the times'));
  });

  test('stores times after a push alone, because every branch reads them', () => {
    const [collect = '', save = ''] = [...stepsWith('name: Collect the times'), ...stepsWith('actions/cache/save@').slice(1)];
    for (const step of [collect, save]) expect(step).toMatch(/^- if: inputs\.part == 'gate' && github\.event_name == 'push' && /);
  });
});

function jobIn(text: string, job: string): string {
  return new RegExp(`^  ${job}:\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
}
