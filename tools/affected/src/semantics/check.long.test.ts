import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { CheckResult } from '../result.js';

const cleanUp = cleanUpIn(afterAll);

const LOCK = [
  ['__metadata:', '  version: 8'],
  ['"app@workspace:packages/app":', '  version: 0.0.0-use.local', '  resolution: "app@workspace:packages/app"', '  linkType: soft'],
  ['"lib@workspace:packages/lib":', '  version: 0.0.0-use.local', '  resolution: "lib@workspace:packages/lib"', '  linkType: soft'],
  ['"monorepo@workspace:.":', '  version: 0.0.0-use.local', '  resolution: "monorepo@workspace:."', '  linkType: soft'],
]
  .map((lines) => `${lines.join('\n')}\n`)
  .join('\n');

/** Creates `app` and `lib`, which do not depend on each other, and a current lockfile. */
function monorepo(files: Files, app: object = {}): TempRepo {
  return cleanUp.add(
    createTempMonorepo({ packages: { 'packages/app': { ...app }, 'packages/lib': {} }, files: { 'yarn.lock': LOCK, ...files } }),
  );
}

function run(repo: TempRepo, ...args: readonly string[]): Promise<CliResult> {
  return runCli('affected', ['check', ...args], { cwd: repo.path, env: { COLUMNS: '80' } });
}

async function check(repo: TempRepo, ...args: readonly string[]): Promise<CheckResult> {
  const { stdout, code } = await run(repo, '--json', ...args);
  const result = JSON.parse(stdout) as CheckResult;
  expect(code).toBe(result.findings.some(({ severity }) => severity === 'hole') ? 1 : 0);
  return result;
}

/** Returns findings such as `hole undeclared-reference app`. */
async function findings(repo: TempRepo, ...args: readonly string[]): Promise<readonly string[]> {
  const result = await check(repo, ...args);
  return result.findings.map((finding) => {
    const who = 'workspace' in finding ? ` ${finding.workspace}` : '';
    return `${finding.severity} ${finding.kind}${who}`;
  });
}

const IMPORT = { 'packages/app/src/app.js': "import 'lib';\n" };
const UNDECLARED = ['hole undeclared-reference app'];

const CASES: readonly (readonly [sentence: string, files: Files, app: object, found: readonly string[]])[] = [
  ['nothing', {}, {}, []],
  ['an import that nobody declares', IMPORT, {}, UNDECLARED],
  ['one in prose that is compiled', { 'packages/app/a.stories.mdx': "import lib from 'lib'\n\n<lib/>\n" }, {}, UNDECLARED],
  ['a path into another workspace', { 'packages/app/a.js': "require('../lib/b.js');\n", 'packages/lib/b.js': '' }, {}, UNDECLARED],
  ['a link into another workspace', { 'packages/app/lib': { symlink: '../lib' } }, {}, UNDECLARED],
  [
    'an import through a file of the root',
    { 'packages/app/a.js': "require('../../x.js');\n", 'x.js': "require('lib');\n" },
    {},
    UNDECLARED,
  ],
  ['a script of another workspace in its own', {}, { scripts: { test: 'yarn workspace lib test' } }, UNDECLARED],
  ['an import in material of tests', { 'packages/app/__fixtures__/a.js': "import 'lib';\n" }, {}, ['note undeclared-reference app']],
  ['no path to a file of the root', { 'packages/app/src/app.js': "import '../../../shared/a.js';\n", 'shared/a.js': '' }, {}, []],
  [
    'a place that may read anything around it',
    { 'packages/app/a.js': "readFileSync(join(__dirname, '../..', name));\n" },
    {},
    ['note opaque-place app'],
  ],
  ['a rule that matches nothing', rule('nowhere/**', 'none'), {}, ['note idle-rule']],
  [
    'a dropped task that is there, and none that is not',
    {
      'tributary.json': JSON.stringify({
        affected: { dropped: ['app', 'lib', 'gone'].map((name) => ({ name, because: 'x' })) },
      }),
    },
    { scripts: { test: 'jest' } },
    ['note idle-drop app'],
  ],
  ['a name in a rule that nobody has', rule('packages/lib/**', ['app', 'ap']), {}, ['hole unknown-workspace']],
  ['a name in "always" that nobody has', { 'tributary.json': '{"affected": {"always": ["ap"]}}' }, {}, ['hole unknown-workspace']],
];

function rule(files: string, affects: string | readonly string[]): Files {
  return { 'tributary.json': JSON.stringify({ affected: { rules: [{ files, affects }] } }) };
}

test.each(CASES)('it finds %s', async (_, files, app, found) => {
  expect(await findings(monorepo(files, app))).toEqual(found);
});

test('it looks at a commit, never at the work tree', async () => {
  const repo = monorepo({});
  repo.commit('Import', { files: IMPORT });
  repo.write({ 'packages/app/src/app.js': null, 'packages/lib/src/lib.js': "import 'app';\n" });
  expect(await findings(repo)).toEqual(UNDECLARED);
  expect(await findings(repo, '--head', 'HEAD~1')).toEqual([]);
});

test('a file that is too large to read may refer to anything', async () => {
  const large = `import 'lib';\n${'//\n'.repeat(2_700_000)}`;
  const { findings: found } = await check(monorepo({ 'packages/app/large.js': large }));
  expect(found).toMatchObject([{ kind: 'opaque-place', file: 'packages/app/large.js', path: '' }]);
});

test('a project in a folder of its repository is seen from there', async () => {
  const repo = cleanUp.add(monorepo({}));
  const inner = {
    'sub/package.json': '{"name": "sub", "workspaces": ["p/*"]}',
    'sub/p/a/package.json': '{"name": "a"}',
    'sub/yarn.lock': '',
  };
  repo.commit('A project below', { files: { ...inner, 'sub/p/b/package.json': '{"name": "b"}', 'sub/p/a/ä.js': "import 'b';\n" } });
  const { stdout } = await runCli('affected', ['check', '--json'], { cwd: `${repo.path}/sub` });
  expect((JSON.parse(stdout) as CheckResult).findings).toMatchObject([
    { kind: 'undeclared-reference', target: 'b', chain: [{ file: 'p/a/ä.js' }] },
  ]);
});

test('for people it says what to do, and shows the rules in force', async () => {
  const { stdout, code } = await run(monorepo({ ...IMPORT, ...rule('nowhere/**', 'none') }));
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, 11)).toEqual([
    expect.stringMatching(/^1 problem in [0-9a-f]{10}\.$/),
    '',
    'References between workspaces that no manifest declares (1)',
    'Answers follow them. Declare them: Yarn and turborepo do not see them.',
    '  app imports lib',
    '      packages/app/src/app.js:1',
    '',
    'Rules of tributary.json that match no file (1)',
    '  nowhere/**',
    '',
    'Rules of tributary.json; the first match in this list applies',
  ]);
  expect(stdout).toContain('  none   nowhere/**\n');
});

test('the built-in rules come only with --verbose', async () => {
  const own = { 'tributary.json': '{ "affected": { "rootOnlyDependencies": ["mine"], "always": ["lib"] } }\n' };
  const repo = monorepo(own);
  const { stdout } = await run(repo);
  expect(stdout.split('\n').slice(2)).toEqual([
    'Dependencies of the root package.json that select only the root',
    '  mine',
    '',
    'In every answer',
    '  lib',
    '',
    'The built-in rules: affected check --rules',
    '',
  ]);
  const whole = (await run(repo, '--verbose')).stdout;
  expect(whole).toContain('\nBuilt in, for other files outside workspaces');
  expect(whole).toContain('  prettier, ');
});

test('--rules shows the rules alone, and finds nothing', async () => {
  const { stdout, code } = await run(monorepo(IMPORT), '--rules');
  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toBe('Built in, for other files outside workspaces, unless their content decides');
  expect(stdout).toContain('Files of CI engines are read\n  in CI: files that the running workflow uses; ');
});

// For the tests, turborepo hashes the files that `inputs` name. It does not see a change of any other file that the tests read.
const TASKS = { build: { dependsOn: ['^build'], inputs: ['src/**'] }, test: { dependsOn: ['^build'], inputs: ['test/**'] } };
const READS_OWN = { 'packages/app/test/a.test.js': "import x from '../data.json';\n", 'packages/app/data.json': '{}\n' };
const READS_LIB = {
  'packages/app/test/a.test.js': "fs.readFileSync('../lib/data.json');\n",
  'packages/lib/data.json': '{}\n',
};
const SCRIPTS = { scripts: { test: 'node --test' } };
const DEPENDS = { ...SCRIPTS, dependencies: { lib: 'workspace:^' } };
const turbo = (tasks: object): Files => ({ 'turbo.json': `${JSON.stringify({ tasks })} // tasks\n` });
const IGNORE = { 'tributary.json': '{ "affected": { "turboInputs": "ignore" } }\n' };

test.each<[title: string, files: Files, app: object, expected: readonly string[]]>([
  ['a file of its own', { ...turbo(TASKS), ...READS_OWN }, SCRIPTS, ['hole app#test packages/app/data.json']],
  [
    'a file of its own, if inputs are no promise',
    { ...turbo(TASKS), ...READS_OWN, ...IGNORE },
    SCRIPTS,
    ['note app#test packages/app/data.json'],
  ],
  ['a file of a dependency', { ...turbo(TASKS), ...READS_LIB }, DEPENDS, ['note lib#build packages/lib/data.json']],
  ['nothing, where a task before has the file', { ...turbo({ ...TASKS, build: {} }), ...READS_LIB }, DEPENDS, []],
  ['nothing, where its own inputs have it', { ...turbo({ ...TASKS, test: { inputs: ['test/**', '*.json'] } }), ...READS_OWN }, SCRIPTS, []],
  ['nothing without a script for the tests', { ...turbo(TASKS), ...READS_OWN }, {}, []],
  [
    'nothing in a file that is no test',
    { ...turbo(TASKS), 'packages/app/src/a.js': "import '../data.json';\n", 'packages/app/data.json': '{}\n' },
    SCRIPTS,
    [],
  ],
  ['nothing without inputs', { ...turbo({ test: {} }), ...READS_OWN }, SCRIPTS, []],
  ['nothing without tasks', { 'turbo.json': '{}\n', ...READS_OWN }, SCRIPTS, []],
])('inputs leave out %s', async (_, files, app, expected) => {
  const result = await check(monorepo({ ...files, 'yarn.lock': '' }, app));
  const found = result.findings.flatMap((one) => (one.kind === 'narrow-inputs' ? [`${one.severity} ${one.task} ${one.path}`] : []));
  expect(found).toEqual(expected);
});

test('inputs that leave out what tests read are said with what to do', async () => {
  const { stdout } = await run(monorepo({ ...turbo(TASKS), ...READS_OWN }, SCRIPTS));
  expect(stdout).toContain('The inputs of app#test leave out packages/app/data.json\n      packages/app/test/a.test.js:1 "../data.json"');
});
