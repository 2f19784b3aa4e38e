import { describe, expect, test } from '@jest/globals';
import { type ProcessCall, type ReportingRunner, runnerOfProcess, withReport } from './runner-call.js';

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
    [{ script: '/r/a.test.js' }, undefined],
    [{ script: '/r/jest.js' }, undefined],
    [{ script: '/r/node_modules/jest-worker/build/processChild.js' }, undefined],
    [{}, undefined],
  ])('%j: %j', (call, runner) => expect(runnerOfProcess({ script: undefined, args: [], nodeArgs: [], ...call })).toBe(runner));
});

describe('a report is asked for beside what was asked for', () => {
  const ask = (runner: ReportingRunner, args: readonly string[], config = ''): string | undefined =>
    withReport(runner, args, { file: 'F', config, reporters: ['default'] })?.join(' ');

  test.each<[runner: ReportingRunner, args: string, config: string, asked: string]>([
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
    ['vitest', '--run', '', '--reporter=default --reporter=json --outputFile.json=F --run'],
  ])('%s %j', (runner, args, config, asked) => expect(ask(runner, words(args), config)).toBe(asked));

  test.each<[runner: ReportingRunner, args: string, config: string]>([
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
    ['node', '', ''],
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

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
