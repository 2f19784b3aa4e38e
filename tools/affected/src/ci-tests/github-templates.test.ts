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
const actions = ['plan', 'shard', 'gate'].map((name) => `ci/github/${name}/action.yml`);
const oneJob = ['ci/github/one-job.yml', 'ci/github/action.yml'];
/** The workflows with the jobs. */
const workflows = ['ci/github/workflow.yml', 'ci/github/reusable.yml', own];
const caller = 'ci/github/caller.yml';

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

describe.each([...workflows, ...others, ...actions, ...oneJob, caller])('%s', (file) => {
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
    for (const [, action = '', pin = ''] of [text, ...actions.map(read)].join('').matchAll(/uses: (actions\/[\w-]+)\S*@(\S+)/g))
      pins.set(action, (pins.get(action) ?? new Set()).add(pin));
    expect([...pins].filter(([, found]) => found.size !== 1)).toEqual([]);
  });

  test('may read, and nothing else', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m);
    expect(text).not.toMatch(/: (write|write-all|read-all)\b/);
  });

  test('hands the token that writes to the remote cache to the action that knows who may have it', () => {
    const lines = text.split('\n').filter((line) => line.includes('secrets.TURBO_TOKEN'));
    expect(lines).toEqual(own === file ? [] : [`          turbo-token: \${{ secrets.TURBO_TOKEN }}`]);
  });

  test('leaves no token behind in a checkout', () => {
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/uses: actions\/checkout@/g)?.length ?? 0);
  });

  // GitHub fails a run with an empty matrix. act runs one leg without values.
  test('makes no shard job where there is nothing to do', () => {
    expect(jobIn(text, 'shards')).toMatch(/^ {4}if: (?:\$\{\{ !cancelled\(\) && )?needs\.plan\.outputs\.has_work == 'true'/m);
  });

  test('lets no failure of a shard cancel the others', () => {
    expect(jobIn(text, 'shards')).toContain('fail-fast: false');
  });

  // A skipped check counts as passed, and GitHub would skip the job after a failure or a cancellation.
  test('always runs the gate, under the one name that a team requires', () => {
    expect(jobIn(text, 'gate')).toMatch(/^ {4}name: gate\n {4}needs: \[plan, shards.*\]\n {4}if: always\(\)/m);
  });

  test('tells the gate how the plan and the shards ended', () => {
    for (const input of ['plan: ${{ needs.plan.outputs.plan', 'attempt: ${{ needs.plan.outputs.attempt'])
      expect(jobIn(text, 'gate')).toContain(`          ${input} }}\n`);
    for (const input of ['plan-result: ${{ needs.plan.result', 'shards-result: ${{ needs.shards.result'])
      expect(jobIn(text, 'gate')).toContain(`          ${input} }}\n`);
  });
});

describe.each(['ci/github/workflow.yml', caller, ownCaller])('%s', (file) => {
  test('runs for pull requests, the merge queue and main', () => {
    expect(read(file)).toMatch(
      /^on:.*\n {2}pull_request:\n {2}merge_group:.*\n {2}push:(?:\n {4}branches: \[main\]| \{ branches: \[main\] \})\n/m,
    );
  });

  test('cancels the runs of pull requests alone', () => {
    const group = `group: \${{ github.workflow }}-\${{ github.event_name == 'pull_request' && github.ref || github.run_id }}`;
    expect(read(file)).toContain(`  ${group}\n  cancel-in-progress: \${{ github.event_name == 'pull_request' }}\n`);
  });
});

test.each(['ci/github/workflow.yml', caller, 'ci/github/one-job.yml'])(
  '%s tests everything at night, and has at most 15 lines of a team',
  (file) => {
    expect(read(file)).toMatch(/^ {2}schedule:(?:\n {4}-| \[\{) cron: '\d+ \d+ \* \* \*'/m);
    // One is for an input, such as the version of Node.
    if (file !== 'ci/github/workflow.yml') expect(read(file).trimEnd().split('\n').length).toBeLessThan(15 + (file === caller ? 1 : 0));
  },
);

test('the check that this project requires always runs, and demands every ring and the checks', () => {
  const gate = jobIn(read(ownCaller), 'gate');
  expect(gate).toMatch(/^ {4}name: gate\n {4}needs: \[rings, checks\]\n {4}if: always\(\)/m);
  expect(gate).toContain('[ "$CHECKS_RESULT" = success ] && [ "$RINGS_RESULT" = success ]');
});

describe('the actions', () => {
  const [, shard = '', gate = ''] = actions.map(read);

  test('hand the token that writes to the remote cache to pushes alone', () => {
    expect(shard.split('\n').filter((line) => line.includes('inputs.turbo-token'))).toEqual([
      `        TURBO_TOKEN: \${{ github.event_name == 'push' && inputs.turbo-token || inputs.turbo-read-token }}`,
    ]);
    expect(shard).toContain(`TURBO_CACHE: \${{ github.event_name == 'push' && 'local:rw,remote:rw' || 'local:rw,remote:r' }}\n`);
  });

  test('keep receipts however the tests end, for each leg and attempt', () => {
    const kept = /- if: always\(\)\n {6}uses: actions\/upload-artifact@.*\n {6}with:\n {8}name: (.*)\n/.exec(shard);
    expect(kept?.[1]).toBe(`\${{ inputs.plan }}-receipts-\${{ inputs.leg }}-\${{ github.run_attempt }}`);
  });

  test('do not pass without a plan', () => expect(gate).toMatch(/\[ "\$PLAN_RESULT" = success \]\n/));

  // If a job that runs again leaves no receipt, the receipt of the earlier attempt stays.
  test('take no receipts of jobs that did not pass, and keep no times of them', () => {
    const asked = gate.indexOf('SHARDS_RESULT:');
    expect(gate.slice(asked)).toContain('[ "$SHARDS_RESULT" = success ] || [ "$SHARDS_RESULT" = skipped ]\n');
    expect(asked).toBeGreaterThan(gate.indexOf(' gate \\\n'));
    expect(gate.slice(0, asked)).not.toContain('timings collect');
  });

  test('store times after a push alone, because every branch reads them', () => {
    const [, ...after] = gate.slice(gate.indexOf('SHARDS_RESULT:')).split('\n    - ');
    expect(after.map((step) => step.split('\n')[0])).toEqual(Array(4).fill("if: github.event_name == 'push' && inputs.timings == 'true'"));
  });
});

describe('the caller', () => {
  const text = read(caller);

  test('has at most 15 lines', () => expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15));

  // GitHub starts no run if a job of the called workflow needs more permissions than the caller grants.
  test('allows what the jobs ask for, and no more', () => {
    const asked = [...read('ci/github/reusable.yml').matchAll(/^ +(\w+: read)\b/gm)].map(([, permission]) => permission);
    expect(text).toContain(`    permissions: { ${[...new Set(asked)].sort().join(', ')} }\n`);
    expect(text).not.toMatch(/write/);
  });
});

function jobIn(text: string, job: string): string {
  return new RegExp(`^  ${job}:\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
}
