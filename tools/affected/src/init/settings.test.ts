import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { parse } from 'yaml';
import { BY_REFERENCE, withTasks } from './forms.js';
import { readPresentPipeline } from './present-gitlab.js';
import { type PresentWorkflow, readPresentWorkflow } from './present-workflow.js';
import { inWords, readInstall } from './settings.js';
import { divideSettings, withSettings } from './write-settings.js';

const NO_TASKS = { rootScripts: new Map<string, string>(), scripts: new Set<string>(), turboTasks: {} };
const REFERENCE = { repository: 'acme/tributary', commit: 'c'.repeat(40) };
const read = (name: string): string => readFileSync(join(findProjectRoot(), 'ci', name), 'utf8');
/** An expression of GitHub. */
const at = (text: string): string => `$${`{{ ${text} }}`}`;

function github(jobs: string, more = ''): PresentWorkflow | undefined {
  return readPresentWorkflow('ci.yml', `on: pull_request\n${more}jobs:\n${jobs}`, NO_TASKS);
}

/** Returns what is taken, and what is told. */
function found(present: PresentWorkflow | undefined): readonly [taken: readonly string[], told: readonly string[]] {
  return [(present?.settings ?? []).map(inWords), present?.extras ?? []];
}

/** Returns the file of a template with the settings of a workflow. */
function written(template: string, present: PresentWorkflow | undefined, isReference = false): string {
  const [engine = ''] = template.split('/');
  const text = isReference ? BY_REFERENCE[engine]?.(read(template), REFERENCE, { node: '24', tasks: ['test'] }) : read(template);
  const { taken } = divideSettings(present ?? { engine: 'github', settings: [] }, { names: [template], isReference, read });
  return withSettings(template, text ?? '', taken);
}

const GITHUB = github(
  `  test:
    services:
      db:
        image: postgres:17
        env: { POSTGRES_PASSWORD: "${at('secrets.DB_PASSWORD')}" }
        ports: ['5432:5432'] # on the machine
        options: >-
          --health-cmd pg_isready
          --health-interval 10s
    env:
      LEVEL: job # of the job
      <<: *more
    steps:
      - uses: actions/checkout@v4
      - run: |
          corepack enable
          yarn install --immutable --inline-builds
      - run: yarn test
        env: { LEVEL: "step", TOKEN: "${at("format('{0}', secrets.TOKEN)")}", TURBO_TEAM: acme }
`,
  `x-more: &more { PORT: '5432', VERSION: 3.10, YES: "yes", "ODD": "a: b #c" }\nenv: { LEVEL: all, ALL: "" }\n`,
);

test('a job of GitHub gets the services, variables and installation of the one that runs tests today, as they were written', () => {
  expect(found(GITHUB)).toEqual([
    [
      'service db',
      'variable LEVEL',
      'variable ALL',
      'variable PORT',
      'variable VERSION',
      'variable YES',
      'variable ODD',
      'variable TOKEN',
      'variable TURBO_TEAM',
      'installation "yarn install --immutable --inline-builds"',
    ],
    [],
  ]);
  const added = `    env:
      LEVEL: "step"
      ALL: ""
      PORT: '5432'
      VERSION: 3.10
      YES: "yes"
      ODD: "a: b #c"
      TOKEN: "${at("format('{0}', secrets.TOKEN)")}"
    services:
      db:
        image: postgres:17
        env: { POSTGRES_PASSWORD: "${at('secrets.DB_PASSWORD')}" }
        ports: [ '5432:5432' ] # on the machine
        options: >-
          --health-cmd pg_isready --health-interval 10s
`;
  const install = "install: 'corepack enable && yarn install --immutable --inline-builds'";
  for (const [template, job, isReference] of [
    ['github/workflow.yml', 'shards', false],
    ['github/workflow.yml', 'shards', true],
    ['github/one-job.yml', 'affected', false],
    ['github/one-job.yml', 'affected', true],
  ] as const) {
    const text = written(template, GITHUB, isReference);
    expect(text).toContain(added);
    expect(Object.keys(parse(text).jobs[job]).slice(-3)).toEqual(['env', 'services', 'steps']);
    expect(text.match(/install: /g)).toHaveLength(1);
    expect(parse(text).jobs[job].steps.at(-1).with.install).toBe('corepack enable && yarn install --immutable --inline-builds');
    if (!isReference) {
      const without = text.replace(added, '').replace(`, ${install}`, '').replace(`        with: { ${install} }\n`, '');
      expect(without).toBe(read(template));
    }
  }
});

test('a workflow that was written is read as what it was written from', () => {
  for (const template of ['github/workflow.yml', 'github/one-job.yml'])
    for (const isReference of [false, true]) {
      const text = withTasks(written(template, GITHUB, isReference), ['test', 'lint']);
      const again = readPresentWorkflow('affected.yml', text, NO_TASKS);
      expect(withTasks(written(template, again, isReference), ['test', 'lint'])).toBe(text);
      expect(again).toMatchObject({
        extras: [],
        tests: [],
        tasks: [
          { task: 'test', stays: null },
          { task: 'lint', stays: null },
        ],
      });
    }
});

test('what the action sets itself is told, and of another engine everything', () => {
  const present = GITHUB ?? { engine: 'github', settings: [] };
  const names = ['github/workflow.yml', 'github/action.yml'];
  expect(divideSettings(present, { names, isReference: false, read }).left).toEqual(['variable TURBO_TEAM (the template sets it)']);
  const { taken, left } = divideSettings(present, { names: ['gitlab/one-job.yml'], isReference: false, read });
  expect([taken, left.length, left[0]]).toEqual([[], present.settings.length, 'service db (of another engine)']);
});

describe('only what means the same in another job is written:', () => {
  test.each([
    ['matrix.db', 'needs matrix'],
    ["format('}}', matrix.db)", 'cannot be read'],
    ['needs.build.outputs.x', 'needs needs'],
    ['steps.x.outputs.y', 'needs steps'],
    ["vars['X'] || Matrix.x", 'needs Matrix'],
    ["hashFiles('yarn.lock')", 'needs hashFiles()'],
    ['env.X', 'needs env'],
    ['runner.temp', 'needs runner'],
    ['inputs.x', 'needs inputs'],
  ])('%s', (expression, why) => {
    const [taken, [told]] = found(github(`  test: { steps: [{ run: yarn test, env: { A: "a${at(expression)}", B: b } }] }\n`));
    expect([taken, told]).toEqual([['variable B'], expect.stringMatching(new RegExp(`^variable A \\(.*${why.replace(/[()]/g, '\\$&')}`))]);
  });

  test.each(["github.sha == 'a.b(c)' && true", 'vars.X', "contains(github.ref, 'matrix.x')", 'toJSON(secrets)'])(
    '%s is written',
    (expression) =>
      expect(found(github(`  test: { steps: [{ run: yarn test, env: { A: "${at(expression)}" } }] }\n`))).toEqual([['variable A'], []]),
  );

  test.each<[what: string, jobs: string, taken: readonly string[], told: readonly string[]]>([
    [
      'jobs that differ',
      `  a: { services: { db: { image: a } }, env: { A: 1, B: 1 }, steps: [{ run: yarn install --immutable --inline-builds }, { run: yarn test }] }
  b: { services: { db: { image: b } }, env: { A: 1, B: 2 }, steps: [{ run: yarn test }] }\n`,
      ['variable A'],
      ['service db', 'variable B', 'installation "yarn install --immutable --inline-builds"'].map(
        (one) => `${one} (not the same wherever tests run)`,
      ),
    ],
    [
      'steps that differ',
      '  a: { steps: [{ run: yarn test, env: { A: 1, B: 1 } }, { run: yarn test, env: { A: 2, B: 1 } }] }\n',
      ['variable B'],
      ['variable A (not the same wherever tests run)'],
    ],
    [
      'what the installation alone gets',
      '  a: { steps: [{ run: yarn install, env: { KEY: x } }, { run: yarn test }] }\n',
      [],
      ['variable KEY (of the installation)'],
    ],
    [
      'secrets of an environment',
      `  a: { environment: e, env: { A: "${at('secrets.A')}", B: b }, steps: [{ run: yarn test }] }\n`,
      ['variable B'],
      ['variable A (its value needs secrets)'],
    ],
    [
      'several installations',
      '  a: { steps: [{ run: yarn }, { run: yarn --mode=skip-build }, { run: yarn test }] }\n',
      [],
      ['step "yarn --mode=skip-build"'],
    ],
    [
      'an installation under a condition',
      '  a: { steps: [{ run: yarn --inline-builds, if: inputs.x }, { run: yarn test }] }\n',
      [],
      ['step "yarn --inline-builds" (it runs under a condition)'],
    ],
    [
      'variables by an expression',
      `  a: { env: "${at('fromJSON(vars.X)')}", steps: [{ run: yarn test }] }\n`,
      [],
      [`variable ${at('fromJSON(vars.X)')} (its names are not known)`],
    ],
  ])('%s', (_, jobs, taken, told) => expect(found(github(jobs))).toEqual([taken, told]));
});

test.each([
  ['yarn', false],
  ['corepack enable && yarn install --immutable', false],
  ['corepack enable && yarn --immutable --inline-builds', true],
  ['yarn install --immutable-cache', true],
  ['corepack prepare yarn@4.9.1 --activate', false],
  ['corepack enable && yarn && yarn build', undefined],
  ['yarn --version', undefined],
  ['yarn install $OPTIONS', undefined],
  ['yarn install; true', undefined],
])('%j installs with options: %j', (line, hasOptions) => expect(readInstall(line)?.hasOptions).toBe(hasOptions));

const FACTS = { rootScripts: new Map<string, string>(), scripts: new Set<string>(), turboTasks: {} };
const GITLAB = readPresentPipeline(
  '.gitlab-ci.yml',
  `default: { image: node:20, services: [redis:7] }
variables: { ALL: "1", LEVEL: all, GIT_DEPTH: "5", TURBO_CACHE: "x" }
.base: { variables: { LEVEL: base, PORT: '5432' }, before_script: [corepack enable, yarn --immutable --inline-builds, apt-get update] }
lint: { script: [yarn lint], services: [other], variables: { LINT: "1" } }
unit:
  extends: .base
  services:
    - name: postgres:17 # the database
      alias: db
  variables: { LEVEL: job, ROW: $KIND }
  parallel: { matrix: [{ KIND: [a, b] }] }
  script: [yarn test]
`,
  FACTS,
);

test('jobs of GitLab get them too, except what a template sets, or a file by reference cannot say', () => {
  const settings = ['service postgres:17', 'variable ALL', 'variable LEVEL', 'variable GIT_DEPTH', 'variable TURBO_CACHE', 'variable PORT'];
  expect(found(GITLAB)).toEqual([
    [...settings, 'installation "yarn --immutable --inline-builds"'],
    ['variable ROW (its value needs KIND of the matrix)', 'a matrix of KIND', 'step "apt-get update"'],
  ]);
  const services = '  services:\n    - name: postgres:17 # the database\n      alias: db\n';
  const install = 'corepack enable && yarn --immutable --inline-builds';
  const one = written('gitlab/one-job.yml', GITLAB);
  expect(one).toContain(`${services}  variables:\n    GIT_DEPTH: "0"`);
  expect(one).toContain(`    AFFECTED_INSTALL: ${install} # Change: what your tests need\n`);
  expect(parse(one).affected.variables).toMatchObject({ ALL: '1', LEVEL: 'job', PORT: '5432', TURBO_CACHE: 'local:rw,remote:r' });
  const jobs = written('gitlab/.gitlab/affected.yml', GITLAB);
  expect(jobs).toContain(`${services}  variables:\n    # turborepo's remote cache`);
  expect(parse(jobs)['.affected-shard'].variables).toMatchObject({ ALL: '1', GIT_DEPTH: '5', TURBO_CACHE: 'local:rw,remote:r' });
  const referring = written('gitlab/one-job.yml', GITLAB, true);
  expect(parse(referring).affected).toEqual({
    image: 'node:24',
    services: [{ name: 'postgres:17', alias: 'db' }],
    variables: { ALL: '1', LEVEL: 'job', PORT: '5432', AFFECTED_INSTALL: install },
  });
  for (const isReference of [false, true])
    expect(written('gitlab/.gitlab-ci.yml', GITLAB, isReference)).toMatch(/ {6}options: .*\n {6}install: corepack enable && yarn --imm/);
  const present = GITLAB ?? { engine: 'gitlab', settings: [] };
  const { left } = divideSettings(present, { names: ['gitlab/.gitlab-ci.yml'], isReference: true, read });
  expect(left).toEqual(settings.map((name) => `${name} (only copied templates can take it)`));
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`V${number}`, '1']));
  const long = readPresentPipeline('.gitlab-ci.yml', JSON.stringify({ test: { script: ['yarn test'], variables: many } }), FACTS);
  const told = divideSettings(long ?? present, { names: ['gitlab/one-job.yml'], isReference: true, read }).left;
  expect([told.length, told[0]]).toEqual([30, 'variable V0 (too long for a file by reference)']);
});

test('a cache of something else than what Yarn installs is told', () => {
  const cache = (path: string): string => `{ uses: actions/cache@v4, with: { key: a, path: ${JSON.stringify(path)} } }`;
  const steps = `${cache('~/.yarn/berry/cache\n**/node_modules\n')}, ${cache('.turbo\n~/.cache/ms-playwright')}, { run: yarn test }`;
  expect(found(github(`  a: { steps: [${steps}] }\n`))).toEqual([[], ['cache .turbo', 'cache ~/.cache/ms-playwright']]);
  const job = 'unit: { script: [yarn test], cache: [{ paths: [.yarn/cache] }, { paths: [.turbo/cache] }] }\n';
  expect(found(readPresentPipeline('.gitlab-ci.yml', job, FACTS))).toEqual([[], ['cache .turbo/cache']]);
});

test('of a job that extends one of another file, what is seen is taken, and the rest told', () => {
  const text =
    'unit: { extends: .far, inherit: { default: false }, script: [yarn test], variables: { A: "1", B: { value: x } } }\nservices: [x]\n';
  expect(found(readPresentPipeline('.gitlab-ci.yml', text, FACTS))).toEqual([
    ['variable A'],
    ['variable B (its value is not plain text)', 'extends .far'],
  ]);
  expect(readPresentPipeline('.gitlab-ci.yml', 'include: [{ local: .gitlab/affected.yml }]\n', FACTS)).toBeUndefined();
});

test('where jobs run and how often, and what a step does beside its tests, is told', () => {
  const job = `  a:
    runs-on: [self-hosted, gpu]
    strategy: { matrix: { node: [20, 22], os: [a], kind: [a, b] } }
    steps: [{ run: "docker compose up -d\\nyarn install\\nyarn test\\nyarn after" }]
`;
  const text = `${job}  b: { uses: ./.github/workflows/b.yml, runs-on: ubuntu-24.04 }\n`;
  const told = ['a matrix of node, kind', 'runs-on self-hosted, gpu', 'step "docker compose up -d"'];
  expect(github(text)).toMatchObject({ extras: told, tests: ['yarn test'] });
  expect(github(text.replace('yarn test', 'x'))?.extras).toContain('workflow ./.github/workflows/b.yml');
  const pipeline = 'unit: { script: [yarn test], tags: [gpu], secrets: { A: b }, parallel: { matrix: [{ OS: [a, b] }] } }\n';
  expect(found(readPresentPipeline('.gitlab-ci.yml', pipeline, FACTS))).toEqual([[], ['a matrix of OS', 'tag gpu', 'its secrets']]);
});
