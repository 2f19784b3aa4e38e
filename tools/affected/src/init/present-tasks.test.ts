import { describe, expect, test } from '@jest/globals';
import type { TaskFacts } from './present-tasks.js';
import { readPresentWorkflow } from './present-workflow.js';

const FACTS: TaskFacts = {
  rootScripts: new Map([
    ['lint', 'turbo run lint'],
    ['all', 'yarn run lint && yarn workspaces foreach -Apt run build'],
    ['typecheck', 'tsc -b'],
    ['lax', 'turbo run lint || true'],
    ['round', 'yarn round'],
  ]),
  scripts: new Set(['test', 'lint', 'build', 'typecheck', 'format', 'deploy', 'dev:test']),
  turboTasks: { test: {}, lint: {}, build: {}, format: {}, deploy: {}, 'test:dev': {}, 'dev:test': { persistent: true } },
};

/** Returns what is said of each task. `step`, `job`, `workflow`: more keys of them, as YAML. */
function tasksOf(run: string, more: { readonly step?: string; readonly job?: string; readonly workflow?: string } = {}): readonly string[] {
  const lines = run
    .split('\n')
    .map((line) => `          ${line}\n`)
    .join('');
  const text = `on: pull_request
${more.workflow ?? ''}
jobs:
  ci:
    runs-on: x
    ${more.job ?? ''}
    steps:
      - run: |
${lines}        ${more.step ?? ''}
`;
  return (readPresentWorkflow('ci.yml', text, FACTS)?.tasks ?? []).map(({ task, stays }) => (stays === null ? task : `${task}: ${stays}`));
}

/** An expression of GitHub. */
const EXPRESSION = `$${'{{ matrix.x }}'}`;

test.each<[run: string, tasks: readonly string[]]>([
  ['yarn turbo run test lint', ['test', 'lint']],
  ['npx turbo lint --continue --concurrency 4 --output-logs=errors-only', ['lint']],
  [`corepack yarn run turbo run lint --filter='...[origin/main]' --concurrency=${EXPRESSION}`, ['lint']],
  ['yarn lint', ['lint']],
  ['npm run all', ['lint', 'build']],
  ['yarn workspaces foreach --all --parallel -j 4 run build', ['build']],
  ['echo lint\nyarn install --immutable && yarn lint', ['lint']],
  ['yarn lint \\\n', ['lint']],
])('%j runs %j', (run, tasks) => expect(tasksOf(run)).toEqual(tasks));

describe('no plan runs what the workflow does not run everywhere and always:', () => {
  test.each<[run: string, said: readonly string[]]>([
    ['# yarn lint', []],
    ['echo "yarn lint"', []],
    ['eslint .', []],
    ['yarn round', []],
    [`yarn turbo run ${EXPRESSION}`, []],
    ['cat <<X\nyarn lint\nX', ['lint: a line of its step cannot be read']],
    ['yarn typecheck', ['typecheck: turbo.json has no task "typecheck"']],
    ['yarn turbo run lint --filter=ui', ['lint: it runs in some workspaces only']],
    ['yarn turbo run lint --filter ui', ['lint: it runs in some workspaces only']],
    ['yarn turbo run lint --filter=!ui', ['lint: it runs in some workspaces only']],
    ['yarn turbo run lint --dry-run', ['lint: it has the option --dry-run']],
    ['yarn turbo run lint --cwd js', ['lint: it has the option --cwd']],
    ['yarn turbo run lint -- --max-warnings 0', ['lint: it has arguments']],
    ['yarn lint --max-warnings 0', ['lint: it has arguments']],
    ['yarn workspaces foreach run build', ['build: it runs in some workspaces only']],
    ['yarn workspaces foreach -A --exclude ui run build', ['build: it has the option --exclude']],
    ['yarn workspaces foreach -A run build --minify', ['build: it has arguments']],
    ['yarn lint || true', ['lint: its step has "|| true"']],
    ['yarn lint | tee log', ['lint: its step has "| tee log"']],
    ['yarn lint &', ['lint: its step has "&"']],
    ['yarn lax', ['lint: a script of the root discards failures']],
    ['cd js\nyarn lint', ['lint: its step has "cd"']],
    ['(cd js && yarn turbo lint)', ['lint: its step has "cd"']],
    ['set +e\nyarn lint', ['lint: its step has "set"']],
    ['if [ -n "$X" ]; then\nyarn lint\nfi', ['lint: its step has "["']],
    ['[ -z "$X" ] || yarn lint', ['lint: its step has "["']],
    ['exit 0\nyarn lint', ['lint: its step has "exit"']],
    ['yarn turbo run format', ['format: it may change files']],
    ['yarn turbo run deploy', ['deploy: its name does not tell that it only tests, builds or lints']],
    ['yarn turbo run dev:test', ['dev:test: it does not end']],
  ])('%j', (run, said) => expect(tasksOf(run)).toEqual(said));

  test.each<[where: string, why: string, more: Parameters<typeof tasksOf>[1]]>([
    ['a step with a condition', 'it runs under a condition', { step: "if: github.ref == 'refs/heads/main'" }],
    ['a job with a condition', 'it runs under a condition', { job: "if: github.event_name == 'push'" }],
    ['a step that may fail', 'it may fail there', { step: 'continue-on-error: true' }],
    ['a step in a folder', 'it runs in another folder', { step: 'working-directory: js' }],
    ['a job in a folder', 'it runs in another folder', { job: 'defaults: { run: { working-directory: js } }' }],
    ['a workflow in a folder', 'it runs in another folder', { workflow: 'defaults: { run: { working-directory: js } }' }],
    ['a step with another shell', 'another shell runs it', { step: 'shell: pwsh' }],
    ['a shell that goes on after a failure', 'another shell runs it', { step: 'shell: bash {0}' }],
    ['a job in an environment', 'it runs in an environment of GitHub', { job: 'environment: production' }],
  ])('%s', (_, why, more) => expect(tasksOf('yarn lint', more)).toEqual([`lint: ${why}`]));
});

test('one plain run is enough, and conditions that always hold are none', () => {
  expect(tasksOf('yarn lint --fix\nyarn lint')).toEqual(['lint']);
  expect(tasksOf('yarn lint', { step: 'if: success() || failure()' })).toEqual(['lint']);
});

test('what a plan runs too can go, with the settings of its job told; what else a job does is told', () => {
  const text = `on: pull_request
jobs:
  lint: { services: { db: {} }, steps: [{ run: yarn lint, env: { STRICT: '1' } }, { run: yarn typecheck }] }
  test: { steps: [{ run: yarn turbo run test }, { run: yarn build }] }
  docs: { services: { other: {} }, steps: [{ run: yarn docs }] }
  format: { steps: [{ run: yarn turbo run format }] }
`;
  const facts = { ...FACTS, rootScripts: new Map([...FACTS.rootScripts, ['build', 'turbo build && node post.js']]) };
  expect(readPresentWorkflow('ci.yml', text, facts)).toMatchObject({
    tests: ['yarn lint', 'yarn turbo run test'],
    extras: ['service db', 'variable STRICT', 'step "yarn typecheck"', 'step "yarn build"'],
  });
});
