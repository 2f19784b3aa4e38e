import { describe, expect, test } from '@jest/globals';
import { nodeReportOf, type ProcessCall, type ReportingRunner, runnerOfProcess, withNodeReport, withReport } from './runner-call.js';

describe('the runner that a process is', () => {
  test.each<[call: Partial<ProcessCall>, runner: ReportingRunner | undefined]>([
    [{ script: '/r/node_modules/jest/bin/jest.js' }, 'jest'],
    [{ script: '/r/node_modules/jest-cli/bin/jest.js' }, 'jest'],
    [{ script: String.raw`C:\r\node_modules\jest\bin\jest.js` }, 'jest'],
    [{ script: '/r/.yarn/cache/jest-npm-30.0.0-x.zip/node_modules/jest/bin/jest.js' }, 'jest'],
    [{ script: '/r/node_modules/vitest/vitest.mjs', args: ['run'] }, 'vitest'],
    [{ script: '/r/node_modules/vitest/vitest.mjs', args: ['--run', 'src'] }, 'vitest'],
    [{ script: '/r/node_modules/vitest/vitest.mjs' }, undefined],
    [{ script: '/r/node_modules/vitest/vitest.mjs', args: ['bench'] }, undefined],
    [{ nodeArgs: ['--test'] }, 'node'],
    [{ script: '/r/a.test.js', nodeArgs: ['--import', 'tsx', '--test'] }, 'node'],
    [{ script: '/r/node_modules/mocha/bin/mocha.js', args: ['src'] }, 'mocha'],
    [{ script: '/r/node_modules/mocha/bin/_mocha' }, 'mocha'],
    [{ script: '/r/node_modules/mocha/lib/cli/cli.js' }, 'mocha'],
    [{ script: '/r/node_modules/mocha/lib/nodejs/worker.js' }, undefined],
    [{ script: '/r/node_modules/playwright/cli.js', args: ['test'] }, 'playwright'],
    [{ script: '/r/node_modules/@playwright/test/cli.js', args: ['test', '-g', 'x'] }, 'playwright'],
    [{ script: '/r/node_modules/playwright/cli.js', args: ['install'] }, undefined],
    [{ script: '/r/a.test.js' }, undefined],
    [{ script: '/r/jest.js' }, undefined],
    [{ script: '/r/node_modules/jest-worker/build/processChild.js' }, undefined],
    [{}, undefined],
  ])('%j: %j', (call, runner) => expect(runnerOfProcess({ script: undefined, args: [], nodeArgs: [], ...call })).toBe(runner));
});

type Asked = Parameters<typeof withReport>[0];

describe('a report is asked for beside what was asked for', () => {
  const ask = (runner: Asked, args: readonly string[], config = ''): string | undefined =>
    withReport(runner, args, { file: 'F', config, reporters: ['default'] })?.join(' ');

  test.each<[runner: Asked, args: string, config: string, asked: string]>([
    ['jest', '', '', '--json --outputFile=F'],
    ['jest', '--coverage -i -- src/a', '', '--json --outputFile=F --coverage -i -- src/a'],
    ['jest', '--watchAll=false', '', '--json --outputFile=F --watchAll=false'],
    ['jest', '--watch=false --watchman=false', '', '--json --outputFile=F --watch=false --watchman=false'],
    ['vitest', 'run', '', 'run --reporter=default --reporter=json --outputFile.json=F'],
    ['vitest', 'run --globals src', 'test: { globals: true }', 'run --reporter=default --reporter=json --outputFile.json=F --globals src'],
    [
      'vitest',
      'run',
      "import react from '@vitejs/plugin-react'; import { defineConfig } from 'vitest/config'; export default defineConfig({ plugins: [react()] });",
      'run --reporter=default --reporter=json --outputFile.json=F',
    ],
    ['mocha', '-R dot -b src', '', '--require=F -R dot -b src'],
    ['vitest', '--run', '', '--reporter=default --reporter=json --outputFile.json=F --run'],
  ])('%s %j', (runner, args, config, asked) => expect(ask(runner, words(args), config)).toBe(asked));

  test.each<[runner: Asked, args: string, config: string]>([
    ['jest', '--json', ''],
    ['jest', '--outputFile=mine.json --json', ''],
    ['jest', '--watch', ''],
    ['jest', '--watchAll', ''],
    ['jest', '--watchAll=true', ''],
    ['jest', '--listTests', ''],
    ['jest', '-h', ''],
    ['vitest', 'run --reporter=verbose', ''],
    ['vitest', 'run --outputFile=mine', ''],
    ['vitest', 'run', "reporters: ['junit']"],
    ['vitest', 'run', 'export default mergeConfig(base, {})'],
    ['vitest', 'run', "import base from '../base.js'; export default { ...base };"],
    ['vitest', 'run', "export { default } from '@acme/config';"],
    ['vitest', 'run', "import './plugin-all.js'"],
    ['vitest', 'run', 'module.exports = require(name);'],
    ['vitest', 'run --root sub', ''],
    ['vitest', 'run -r=sub', ''],
    ['vitest', 'run -- src', ''],
    ['mocha', '--watch', ''],
    ['mocha', '-w', ''],
    ['mocha', '--dry-run', ''],
    ['mocha', '--require=F', ''],
  ])('and not where that would change something: %s %j %j', (runner, args, config) =>
    expect(ask(runner, words(args), config)).toBeUndefined(),
  );

  test('vitest keeps the reporters that it has without being told', () =>
    expect(withReport('vitest', ['run'], { file: 'F', config: '', reporters: ['default', 'github-actions'] })).toEqual([
      'run',
      '--reporter=default',
      '--reporter=github-actions',
      '--reporter=json',
      '--outputFile.json=F',
    ]));
});

describe("of node's runner", () => {
  const ask = (args: string, version = 22, isTerminal = false): string | undefined =>
    withNodeReport(words(args), { version, isTerminal, reporter: 'R', file: '/t/F' })?.join(' ');
  const asked = (usual: string): string =>
    `--test-reporter=${usual} --test-reporter-destination=stdout --test-reporter=R --test-reporter-destination=/t/F`;

  test.each([
    ['--test', 22, false, 'tap'],
    ['--import tsx --test a.test.ts', 20, false, 'tap'],
    ['--test', 20, true, 'spec'],
    ['--test', 23, false, 'spec'],
  ] as const)('%j of version %d (terminal: %j) still prints %s', (args, version, isTerminal, usual) => {
    const changed = ask(args, version, isTerminal);
    expect(changed).toBe(`${asked(usual)} ${args}`);
    expect(nodeReportOf(words(changed ?? ''), '/t/')).toBe('/t/F');
    expect(nodeReportOf(words(changed ?? ''), '/u/')).toBeUndefined();
  });

  test.each(['a.js', '--test --test-reporter=dot', '--test --watch', '--test --test-force-exit', '-e 0 --test'])('%j is left', (args) =>
    expect(ask(args)).toBeUndefined(),
  );

  test('of an old version too', () => expect(ask('--test', 18)).toBeUndefined());
});

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
