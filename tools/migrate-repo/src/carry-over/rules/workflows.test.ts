import { expect, test } from '@jest/globals';
import { fixtureOf } from '../carry-over.fixture.js';
import { carryOver } from '../carry-over.js';

/** Returns the topics of the remarks about a workflow, and the detail of the first. */
function remarksOf(text: string, scripts = {}): readonly (string | undefined)[] {
  const files = { '.github/workflows/a.yml': text, 'package.json': JSON.stringify({ name: 'x', scripts }) };
  const { findings } = carryOver(fixtureOf({}, files));
  const remarks = findings.filter(({ rule }) => rule === 'GitHub workflows').flatMap((one) => one.remarks);
  return [remarks[0]?.detail, ...remarks.map(({ topic }) => topic)];
}

const job = (...steps: readonly string[]): string =>
  `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n${steps.map((one) => `      - ${one}\n`).join('')}`;

test.each([
  ['npm test', 'it ran tests; needed in its place: its tests, as `affected init` sets them up'],
  ['yarn run coverage', 'it ran tests; needed in its place: its tests, as `affected init` sets them up'],
  ['npx jest --ci', 'it ran tests; needed in its place: its tests, as `affected init` sets them up'],
  ['pnpm lint && npm ci', 'it checked the code; needed in its place: its checks'],
  ['npm ci', 'its keys do not show what it did'],
  ['|\n          # do not test\n          npm test', 'it ran tests; needed in its place: its tests, as `affected init` sets them up'],
  [
    "|\n          # don't lint\n          npm test\n          echo 'done'",
    'it ran tests; needed in its place: its tests, as `affected init` sets them up',
  ],
  ['echo test', 'its keys do not show what it did'],
  ['node scripts/test-data.js', 'its keys do not show what it did'],
])('%s', (run, detail) => expect(remarksOf(job(`run: ${run}`)).slice(0, 2)).toEqual([detail, 'workflows']));

test('commands that need others in the monorepo are named by line', () => {
  const { findings } = carryOver(fixtureOf({}, { '.github/workflows/a.yml': job('run: npm ci', 'run: npm test') }));
  const details = findings.flatMap(({ remarks }) => remarks.map(({ detail }) => detail));
  expect(details).toContain('`npm ci` in line 6: `yarn install --immutable`');
});

test('npm works as before in a folder with a package.json of its own, outside of all workspaces', () => {
  const inFolder = (folder: string) => `run: npm ci && git push --tags\n        working-directory: ${folder}`;
  const steps = [inFolder('./site/'), inFolder('lib'), 'run: npm test'];
  const told = (text: string) =>
    carryOver(fixtureOf({}, { '.github/workflows/a.yml': text, 'site/package.json': '{}' })).findings.flatMap(({ remarks }) =>
      remarks.map(({ detail }) => detail?.match(/`npm ci` in line \d+/g)),
    );
  expect(told(job(...steps)).flat()).toContain('`npm ci` in line 8');
  expect(told(job(...steps)).flat()).not.toContain('`npm ci` in line 6');
  const inShell = told(job('run: |\n          cd site\n          npm ci', 'run: npm ci')).flat();
  expect([inShell.includes('`npm ci` in line 8'), inShell.includes('`npm ci` in line 9')]).toEqual([false, true]);
  expect(told(`defaults: { run: { working-directory: site } }\n${job('run: npm ci')}`).flat()).not.toContain('`npm ci` in line 7');
});

test.each(['run: npx semantic-release', 'run: npm publish', 'uses: changesets/action@v1', 'run: npm run ship'])('%s publishes', (step) => {
  const [detail, ...topics] = remarksOf(job(step), { ship: 'build && np' });
  expect([detail?.startsWith('it published; needed'), topics]).toEqual([true, ['releases']]);
});

test('events, jobs and settings count, too', () => {
  const text = [
    'on: { schedule: [{ cron: "0 0 * * *" }], workflow_call: {} }',
    'jobs:',
    '  a:',
    '    runs-on: [self-hosted]',
    '    environment: { name: prod }',
    '    steps:',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub
    '      - { uses: github/codeql-action/init@v3, env: { A: "${{ secrets.KEY }} ${{ secrets.other-key }} ${{ vars.URL }} ${{ secrets.GITHUB_TOKEN }}" } }',
    '  b: { uses: acme/ci/.github/workflows/lint.yml@main }',
  ].join('\n');
  expect(remarksOf(text)[0]).toBe(
    'it deployed, scanned the code, ran on a schedule, was called by other workflows, called `acme/ci/.github/workflows/lint.yml`; needed in its place: a job that deploys from the folder of the package, a scan of the monorepo, a schedule, its inputs, the secrets KEY, other-key, the variables URL, the environments prod, self-hosted runners',
  );
});

test.each([
  ['run: npm test', 'it ran tests; needed in its place: its tests, as `affected init` sets them up'],
  ['uses: acme/greet@v1', 'it tended issues or pull requests; needed in its place: the same for all packages'],
])('a workflow for pull requests of forks with %s', (step, detail) => {
  expect(remarksOf(job(step).replace('on: push', 'on: { pull_request_target: { types: [labeled] } }'))[0]).toBe(detail);
});

test('pages are deployed', () => {
  expect(remarksOf(job('uses: some/ghaction-github-pages@v4'))[0]).toMatch(/^it deployed;/);
});

test('a workflow that cannot be read is named, and a credential in it', () => {
  expect(remarksOf('jobs: [')).toEqual([undefined, 'workflows']);
  expect(remarksOf(job('run: npm test', `env: { X: npm_${'a'.repeat(36)} }`)).slice(1)).toEqual(['workflows', 'credentials']);
});
