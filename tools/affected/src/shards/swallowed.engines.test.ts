import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findTool } from '../ci-tests/tools.fixture.js';
import { type Attempt, type Outcome, tryAttempts } from '../testing/attempts.fixture.js';

// The attempts of `swallowed.long.test.ts` with runners that the project does not install. The answer stands first.

const cleanUp = cleanUpIn(afterAll);
const OK = "it('ok', () => {});\n";
const FAIL = "it('fails', () => { throw new Error('no'); });\n";
const EXIT = `it('ends', () => { process.exit(0); });\n${FAIL}`;
const SKIPPED = "it.skip('x', () => { throw new Error('no'); });\n";

type Rows = readonly (readonly [answer: Outcome, name: string, attempt: Attempt])[];

const vitest = (options: string, after: string, text = ''): Attempt => ({
  before: 'vitest run --globals',
  script: `vitest run --globals ${options}`,
  tests: [OK, after],
  files: { 'x.mjs': text, 'y.mjs': 'export default () => process.exit(0);\n' },
});
const mocha = (options: string, after: string, text = ''): Attempt => ({
  before: 'mocha a.test.js',
  script: `mocha ${options} a.test.js`,
  tests: [OK, after],
  files: { 'x.js': text },
});

const ROWS: Readonly<Record<'vitest' | 'mocha', Rows>> = {
  vitest: [
    ['red', 'exit', vitest('', EXIT)],
    ['red', 'exit-in-set-up', vitest('--config x.mjs', FAIL, "export default { test: { globalSetup: './y.mjs' } };\n")],
    ['red', 'no-file', vitest('--passWithNoTests nothing', FAIL)],
    ['red', 'skipped', vitest('', SKIPPED)],
    ['told', 'names-in-settings', vitest('--config x.mjs', OK + FAIL, "export default { test: { testNamePattern: 'ok' } };\n")],
    ['told', 'unhandled', vitest('--dangerouslyIgnoreUnhandledErrors', "it('ok', () => { Promise.reject(new Error('no')); });\n")],
    ['told', 'some-names', vitest('-t ok', OK + FAIL)],
    ['red', 'list', { ...vitest('', FAIL), script: 'vitest list --globals' }],
    [
      'told',
      'own-reporter',
      vitest(
        '--reporter=./x.mjs',
        FAIL,
        'export default class { onFinished() { process.on("exit", () => { process.exitCode = 0; }); } }\n',
      ),
    ],
  ],
  mocha: [
    ['red', 'exit', mocha('', EXIT)],
    ['told', 'exit-in-set-up', mocha('--require=./x.js', FAIL, 'process.exit(0);\n')],
    [
      'red',
      'exit-in-reporter',
      mocha('--reporter=./x.js', FAIL, "module.exports = function (run) { run.on('end', () => process.exit(0)); };\n"),
    ],
    ['told', 'pass-on-failure', mocha('--pass-on-failing-test-suite', FAIL)],
    ['red', 'skipped', mocha('', SKIPPED)],
    ['told', 'names-in-settings', { ...mocha('', OK + FAIL), files: { '.mocharc.json': '{ "grep": "ok" }\n' } }],
    ['told', 'some-names', mocha('-g ok', OK + FAIL)],
    ['told', 'other-names', mocha('--fgrep fails --invert', OK + FAIL)],
    ['red', 'dry-run', mocha('--dry-run', FAIL)],
  ],
};

const TOOLS = { vitest: findTool('VITEST'), mocha: findTool('MOCHA') } as const;

for (const runner of ['vitest', 'mocha'] as const) {
  const program = TOOLS[runner];
  (program === undefined ? test.skip : test)(`${runner}: a change that hides a failure fails the gate, or is told`, async () => {
    const rows = ROWS[runner];
    const outcomes = await tryAttempts(cleanUp, Object.fromEntries(rows.map(([, name, one]) => [name, one])), { [runner]: program ?? '' });
    expect(outcomes).toEqual(Object.fromEntries(rows.map(([answer, name]) => [name, answer])));
  });
}
