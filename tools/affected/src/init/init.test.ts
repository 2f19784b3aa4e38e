import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { ENGINES } from '../engines/engines.js';
import { withMainBranch } from '../run/init.js';
import { BY_REFERENCE, filesOfForm, parseReference, withReportOnly, withTasks } from './forms.js';
import type { Survey } from './init-result.js';
import { hiddenVariables, problemsOf, runnersIn } from './judge-survey.js';
import { nextSteps } from './next-steps.js';

const ci = join(findProjectRoot(), 'ci');
const templates = [...new Set(ENGINES.flatMap(({ setup }) => Object.keys({ ...setup.files, ...setup.oneJob })))];
const readCi = (name: string): string => readFileSync(join(ci, name), 'utf8');

test('no template keeps "main" where another main branch is named, and comments stay', () => {
  const changed = templates.filter((name) => withMainBranch(readCi(name), 'trunk') !== readCi(name));
  expect(changed.sort()).toEqual([
    'azure/azure-pipelines.yml',
    'azure/one-job.yml',
    'circleci/config.yml',
    'circleci/one-job.yml',
    'github/one-job.yml',
    'github/workflow.yml',
    'jenkins/Jenkinsfile',
    'jenkins/one-job.Jenkinsfile',
  ]);
  for (const name of changed) {
    const code = (withMainBranch(readCi(name), 'trunk') ?? '').split('\n').map((line) => line.replace(/(^|\s)(#|\/\/).*/, ''));
    expect(code.filter((line) => /\bmain\b/.test(line))).toEqual([]);
    expect(code.length).toBe(readCi(name).split('\n').length);
  }
});

test.each(["x'y", 'a b', '$(id)', '-x', ''])('a main branch %p goes into no template', (branch) => {
  expect(withMainBranch(readCi('github/workflow.yml'), branch)).toBeUndefined();
});

const SURVEY: Survey = {
  root: '',
  packageManager: 'yarn',
  version: '4.9.1',
  linker: 'node-modules',
  workspaces: 2,
  tested: 2,
  runners: [],
  turboJson: 'read',
  turboTasks: ['build', 'test'],
  turbo: '^2.4.0',
  branch: 'main',
  node: null,
  workflow: null,
};

test('each engine has a form that only reports, by one change in one file, and a form with one job', () => {
  for (const { setup } of ENGINES) {
    const changed = Object.keys(setup.files).filter((name) => withReportOnly(readCi(name)) !== readCi(name));
    expect(changed).toHaveLength(1);
    expect(withReportOnly(readCi(changed[0] ?? '')).match(/report-only/g)).toHaveLength(1);
    expect(filesOfForm(setup, 'one-job')).toBeDefined();
  }
});

const REFERENCE = { repository: 'acme/tributary', commit: 'c'.repeat(40) };

test('each engine runs several tasks by one change in one file, in each form', () => {
  const tasks = ['test', 'lint'];
  for (const { name, setup } of ENGINES) {
    for (const files of [setup.files, setup.oneJob ?? {}]) {
      const changed = Object.keys(files).filter((one) => withTasks(readCi(one), tasks) !== readCi(one));
      expect([name, changed.length]).toEqual([name, 1]);
      for (const shape of [readCi, (one: string) => withReportOnly(readCi(one))])
        expect(withTasks(shape(changed[0] ?? ''), tasks)).toMatch(/--task test,lint --(?:report-only|max-shards|shards)|task: 'test,lint'/);
    }
  }
  expect(withTasks(readCi('github/workflow.yml'), ['test'])).toBe(readCi('github/workflow.yml'));
  expect(withTasks(withReportOnly(readCi('github/workflow.yml')), tasks)).toContain(
    "        with: { part: plan, report-only: true, task: 'test,lint' }\n",
  );
  const by = (engine: string, template: string): string =>
    withTasks(BY_REFERENCE[engine]?.(readCi(template), REFERENCE, { node: '22', tasks }) ?? '', tasks);
  expect(by('github', 'github/one-job.yml')).toContain("        with: { node-version: '22', task: 'test,lint' }\n");
  expect(by('github', 'github/workflow.yml').match(/node-version: '22'/g)).toHaveLength(3);
  expect(by('github', 'github/workflow.yml').match(/task: 'test,lint'/g)).toHaveLength(1);
  expect(by('gitlab', 'gitlab/one-job.yml')).toContain('  variables:\n    PLAN_OPTIONS: --task test,lint --shards 1\n');
  expect(by('gitlab', 'gitlab/.gitlab-ci.yml')).toMatch(/ options: --task test,lint --max-shards 20 .*\n {6}image: node:22\n/);
});

// One source of the steps: what is referred to is what `affected init` copies.
test('a workflow by reference has at most 40 lines, and uses the files that the copied form has', () => {
  for (const { name, setup } of ENGINES) {
    const write = BY_REFERENCE[name];
    if (write === undefined) continue;
    for (const files of [setup.files, setup.oneJob ?? {}]) {
      const [first = '', ...others] = Object.keys(files);
      const text = write(readCi(first), REFERENCE, { node: '22', tasks: ['test', 'lint'] });
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
      const used = [...text.matchAll(/file: \/ci\/(\S+)|uses: acme\/tributary\/ci\/(github)@c+$/gm)].map(
        ([, file, action]) => file ?? `${action}/action.yml`,
      );
      expect([...new Set(used)].sort()).toEqual(others.length > 0 ? others.toSorted() : [first]);
    }
  }
});

test.each(['acme/tributary', 'acme/tributary@main', `tributary@${'a'.repeat(40)}`, `a/b@${'a'.repeat(40)}\n- run: x`])(
  'a reference %j is refused: it may move, or is none',
  (text) => expect(() => parseReference(text)).toThrow('--uses must be a repository with a full commit id'),
);

describe('the workflows are', () => {
  test.each<[what: string, more: Partial<Survey>]>([
    ['Yarn 4 and turborepo 2', {}],
    ['any turborepo 2', { turbo: '^2.0.0' }],
    ['a tag', { turbo: 'latest' }],
    ['a task of one workspace', { turboTasks: ['@acme/ui#test'] }],
  ])('proposed for %s', (_, more) => expect(problemsOf({ ...SURVEY, ...more })).toEqual([]));

  test.each<[what: string, more: Partial<Survey>, message: string]>([
    ['npm', { packageManager: 'npm' }, 'uses npm'],
    ['Yarn 1', { version: '1' }, 'uses Yarn 1'],
    ['an unknown Yarn', { version: null }, 'version of Yarn'],
    ['no turborepo at all', { turbo: null, turboJson: 'missing', turboTasks: null }, 'does not have'],
    ['no turbo dependency', { turbo: null }, 'no turbo'],
    ['turborepo 1', { turbo: '^1.13.0' }, 'not ^1.13.0'],
    ['turborepo 2.3', { turbo: '2.3.4' }, 'not 2.3.4'],
    ['no turbo.json', { turboJson: 'missing', turboTasks: null }, 'There is no turbo.json.'],
    ['a broken turbo.json', { turboJson: 'invalid', turboTasks: null }, 'turbo.json is invalid.'],
    ['no task test', { turboTasks: ['build', 'lint'] }, 'no task "test"'],
    ['a monorepo in a folder', { root: 'js' }, 'it is in js'],
  ])('not proposed for %s, with one reason', (_, more, message) => {
    const problems = problemsOf({ ...SURVEY, ...more });
    expect(problems.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
    expect(problems[0]?.hint).not.toBe('');
  });
});

test('variables that turborepo would hide from tests are told', () => {
  const turbo = JSON.stringify({ globalEnv: ['G'], globalPassThroughEnv: ['P_*'], tasks: { test: { env: ['E'], passThroughEnv: ['T'] } } });
  expect(hiddenVariables(['G', 'P_1', 'E', 'T'], turbo)).toEqual([]);
  expect(hiddenVariables(['A', 'E', 'B'], turbo)).toEqual([
    {
      message: 'turborepo gives tests few variables that turbo.json does not name, and it does not name A, B.',
      hint: 'Add to the task "test" in turbo.json: "env": ["A","B"]',
    },
  ]);
  expect(hiddenVariables(['A'], '{ "envMode": "loose" }')).toEqual([]);
});

test.each([
  ['jest --ci', ['jest']],
  ['NODE_OPTIONS=--x ../../node_modules/.bin/vitest run', ['vitest']],
  ['tsc && mocha && node --test', ['mocha', 'node --test']],
  ['node scripts/jest.mjs', ['jest']],
  ['echo no tests', ['other']],
  ['node --test-only x', ['other']],
])('%p runs %p', (script, runners) => expect(runnersIn(script)).toEqual(runners));

test('a file to edit by hand is committed too, and GitLab says what else to change in it', () => {
  const setup = ENGINES.find(({ name }) => name === 'gitlab')?.setup;
  const facts = { survey: SURVEY, setup, uncommitted: [], notIgnored: [], lacksPackage: false, packageFolder: '/p' };
  const files = [{ path: '.gitlab-ci.yml', purpose: 'workflow', state: 'differs', content: '', written: false }] as const;
  const steps = nextSteps({ ...facts, files });
  expect(steps[0]?.text).toBe(
    'Add the proposed lines by hand to .gitlab-ci.yml. If .gitlab-ci.yml has "stages", add plan and test to them.',
  );
  expect(steps).toContainEqual({ text: expect.stringContaining('open a merge request'), command: 'git add .gitlab-ci.yml' });
});

test('what the workflow needs is committed with it, before the branch is looked at', () => {
  const facts = { survey: SURVEY, setup: ENGINES[0]?.setup, uncommitted: ['turbo.json', 'yarn.lock'], notIgnored: [], lacksPackage: false };
  const files = [{ path: 'a.yml', purpose: 'workflow', state: 'new', content: '  schedule: []\n', written: false }] as const;
  const commands = nextSteps({ ...facts, files, packageFolder: '/p' }).map(({ command }) => command);
  expect(commands.slice(-3, -1)).toEqual(['git add a.yml turbo.json yarn.lock', 'affected --base origin/main']);
});

test.each(ENGINES)(
  '$name: every template runs affected check at night, and a step says so where the engine has the schedule',
  ({ setup }) => {
    for (const templates of [setup.files, setup.oneJob ?? {}]) {
      const files = Object.entries(templates).map(
        ([template, path]) => ({ path, purpose: 'workflow', state: 'new', content: readCi(template), written: false }) as const,
      );
      const all = files.map(({ content }) => content).join('');
      expect(all.replaceAll(/^ *#.*/gm, '')).toMatch(/(?:AFFECTED(?: "\$@")?|affected|cli\.cjs"\}) check\b/);
      const facts = { survey: SURVEY, setup, uncommitted: [], notIgnored: [], lacksPackage: false, packageFolder: '/p' };
      const told = nextSteps({ ...facts, files }).some(({ text }) => text.startsWith('Make a schedule'));
      expect(told).toBe(!/cron: '17/.test(all));
    }
  },
);

test('settings alone open no pull request', () => {
  const facts = { survey: SURVEY, setup: undefined, uncommitted: [], notIgnored: [], lacksPackage: true, packageFolder: '/p' };
  const files = [{ path: 'tributary.json', purpose: 'settings', state: 'new', content: '', written: false }] as const;
  expect(nextSteps({ ...facts, files })).toContainEqual({ text: 'Commit the files.', command: 'git add tributary.json' });
});

test('the command that packs affected works from a folder with a blank and a quote', () => {
  const facts = { survey: SURVEY, setup: ENGINES[0]?.setup, uncommitted: [], notIgnored: [], lacksPackage: true };
  const files = [{ path: 'a', purpose: 'workflow', state: 'new', content: '', written: false }] as const;
  const commands = nextSteps({ ...facts, files, packageFolder: "/it's here" }).map(({ command }) => command);
  expect(commands[0]).toContain(`cd '/it'\\''s here' && npm pack`);
});

test('a command to paste quotes the name of a branch', () => {
  const survey = { ...SURVEY, branch: 'x;touch$IFS.y' };
  const steps = nextSteps({
    survey,
    setup: undefined,
    uncommitted: [],
    notIgnored: [],
    lacksPackage: false,
    packageFolder: '/p',
    files: [],
  });
  expect(steps.map(({ command }) => command)).toContain("affected --base 'origin/x;touch$IFS.y'");
});
