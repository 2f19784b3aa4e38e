import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';

const root = findProjectRoot();
const own = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const workflows = ['ci/github/workflow.yml', ...own];

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** What a runner hands to a shell: the text after each `run:`, and the lines below it that are further in. */
function scriptsIn(text: string): readonly string[] {
  return [...text.matchAll(/^( *)(?:- )?run: (.*\n(?:\1 {2}.*\n|\n)*)/gm)].map(([, , script = '']) => script);
}

test('the scripts of a workflow are found', () => {
  const text = 'steps:\n  - run: a\n  - name: x\n    run: |\n      b {{ c }}\n      d\n    env: e\n';
  expect(scriptsIn(text)).toEqual(['a\n', '|\n      b {{ c }}\n      d\n']);
});

describe.each([...workflows, 'ci/github/action.yml'])('%s', (file) => {
  const text = read(file);

  test('pins each action of others by its commit, with the version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action).filter((action) => !action.startsWith('./'));
    expect(used.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('puts nothing into the text of a script, where the name of a branch would be run', () => {
    expect(scriptsIn(text)).not.toEqual([]);
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
    for (const [, action = '', pin = ''] of text.matchAll(/uses: (actions\/[\w-]+)\S*@(\S+)/g))
      pins.set(action, (pins.get(action) ?? new Set()).add(pin));
    expect([...pins].filter(([, found]) => found.size !== 1)).toEqual([]);
  });

  test('may read, and nothing else', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m);
    expect(text).not.toMatch(/: (write|write-all|read-all)\b/);
  });

  test('hands the token that writes to the remote cache to pushes alone', () => {
    for (const line of text.split('\n').filter((one) => one.includes('secrets.TURBO_TOKEN')))
      expect(line).toMatch(/\{ github\.event_name == 'push' && secrets\.TURBO_TOKEN \|\| secrets\.TURBO_READ_TOKEN \}\}$/);
    expect(read('ci/github/workflow.yml').match(/secrets\.TURBO_TOKEN/g)).toHaveLength(1);
  });

  test('leaves no token behind in a checkout', () => {
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/uses: actions\/checkout@/g)?.length ?? 0);
  });

  test('runs for pull requests, the merge queue and main', () => {
    expect(text).toMatch(/^on:\n {2}pull_request:\n {2}merge_group:.*\n {2}push:\n {4}branches: \[main\]\n/m);
  });

  // GitHub fails a run whose matrix is empty; act runs one leg with nothing in it.
  test('makes no shard job where there is nothing to do', () => {
    expect(jobIn(text, 'shards')).toMatch(/^ {4}if: needs\.plan\.outputs\.has_work == 'true'/m);
  });

  test('lets no failure of a shard cancel the others', () => {
    expect(jobIn(text, 'shards')).toContain('fail-fast: false');
  });

  // A skipped check counts as passed, and the job would be skipped after a failure or a cancellation.
  test('always runs the gate, under the one name that a team requires', () => {
    expect(jobIn(text, 'gate')).toMatch(/^ {4}name: gate\n {4}needs: \[plan, shards.*\]\n {4}if: always\(\)/m);
    expect(jobIn(text, 'gate')).toMatch(/\[ "\$PLAN_RESULT" = success \]/);
  });

  // The receipt of an attempt before stays where a job that is run again leaves none.
  test('takes no receipts of jobs that did not pass, and keeps no times of them', () => {
    const gate = jobIn(text, 'gate');
    const asked = gate.indexOf(`SHARDS_RESULT: \${{ needs.shards.result }}`);
    expect(gate.slice(asked)).toContain('[ "$SHARDS_RESULT" = success ] || [ "$SHARDS_RESULT" = skipped ]\n');
    expect(asked).toBeGreaterThan(gate.indexOf(' gate --plan='));
    expect(gate.slice(0, asked)).not.toContain('timings collect');
  });
});

function jobIn(text: string, job: string): string {
  return new RegExp(`^  ${job}:\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
}
