import { describe, expect, test } from '@jest/globals';
import type { TaskOwner } from '../plan/has-task.js';
import { ScriptReader } from './script-reader.js';

/** Returns what is said of a script `test`, next to others of its workspace and of the root. */
function said(
  script: string,
  more: Readonly<Record<string, string>> = {},
  wireit: Readonly<Record<string, string>> = {},
): readonly string[] {
  const ui = {
    name: 'ui',
    path: 'ui',
    scripts: new Map(Object.entries({ test: script, ...more })),
    wireit: new Map(Object.entries(wireit)),
  };
  const root: TaskOwner = { name: 'root', path: '', scripts: new Map([['check', 'jest || true']]) };
  const lib: TaskOwner = { name: 'lib', path: 'lib', scripts: new Map([['lib:only', 'mocha; exit 0']]) };
  return new ScriptReader([root, ui, lib]).read('ui', 'test').flaws.map(({ kind, what }) => `${kind}: ${what}`);
}

describe('a script that ends as its commands do', () => {
  test.each([
    '',
    '  ',
    'jest',
    'tsc && jest --ci 2>&1 > log.txt',
    'rm -rf coverage; mkdir -p out; jest',
    'rimraf out || true; jest',
    '[ -d out ] || mkdir out && jest',
    'jest || exit 1',
    'jest || exit',
    'jest || exit $?',
    'jest || false',
    'jest || (echo failed && exit 1)',
    'jest || { echo failed; exit 1; }',
    'jest || (code=$?; rm -rf out; exit $code)',
    'jest; code=$?; rm -rf out; exit $code',
    'jest; exit $?',
    'cat list | xargs jest',
    'jest --config $(pwd)/jest.config.js -w $(nproc)',
    'jest --name "a || true; exit 0 | tee"',
    "jest --config 'a; b & c'",
    'node -e "process.exit(0)"',
    'sh -c "jest && mocha"',
    'sh -ec "jest; mocha"',
    'bash -c "set -e; jest; mocha"',
    'bash -c "set -euo pipefail; jest | tee log"',
    'bash -o pipefail -c "jest | tee log"',
    'bash -euo pipefail -c "jest | tee log; mocha"',
    'bash --norc -eo pipefail -c "jest | tee log"',
    'sh -c "if [ -f a ]; then jest; else mocha; fi"',
    'run-s -c a b',
    'concurrently "jest" "mocha"',
    'concurrently --success all "jest" "mocha x"',
    'find . -name "*.test.js" -exec node {} +',
    'yarn jest',
    'yarn run test',
    'make -j check',
  ])('%j', (script) => expect(said(script)).toEqual([]));
});

describe('a script that discards an exit code', () => {
  test.each<[script: string, what: string]>([
    ['jest || true', 'jest (|| true)'],
    ['jest || :', 'jest (|| :)'],
    ['jest || exit 0', 'jest (|| exit 0)'],
    ['jest || echo failed', 'jest (|| echo failed)'],
    ['jest || { echo failed; exit $?; }', 'jest (|| { echo failed; exit $?; })'],
    ['tsc && jest || true', 'tsc (|| true)'],
    ['jest || mocha && ava', 'jest (|| mocha)'],
    ['jest; true', 'jest (; true)'],
    ['jest; exit 0', 'jest (; exit 0)'],
    ['jest; code=$?; exit 0', 'jest (; code=$?)'],
    ['jest; echo $?', 'jest (; echo $?)'],
    ['jest; mocha', 'jest (; mocha)'],
    ['jest &', 'jest (&)'],
    ['jest & wait', 'jest (&)'],
    ['jest | tee log.txt', 'jest (| tee log.txt)'],
    ['jest |& cat', 'jest (| cat)'],
    // Yarn has no `set`.
    ['set -o pipefail; jest | tee log', 'jest (| tee log)'],
    ['set -e; jest; true', 'jest (; true)'],
    ['(jest || true)', 'jest (|| true)'],
    ['{ jest; true; }', 'jest (; true)'],
    ['(jest) ; true', 'jest (; true)'],
    ['! jest', 'jest (!)'],
    ['echo $(jest)', 'jest ($( ))'],
    ['OUT=$(npx jest) mocha', 'npx jest ($( ))'],
    ['sh -c "jest || true"', 'jest (|| true)'],
    ['timeout 60 bash -xc "jest | tee log"', 'jest (| tee log)'],
    ['bash --norc -O extglob -c "jest | tee log"', 'jest (| tee log)'],
    ['bash +o pipefail -c "jest | tee log"', 'jest (| tee log)'],
    ['bash -c "set -e; set +e; jest; true"', 'jest (; true)'],
    ['sh -c "if jest; then echo ok; fi"', 'jest (if)'],
    ['sh -c "for f in *.js; do node $f; done"', 'node $f (; done)'],
    ['sh -c "if [ -f a ]; then jest; fi; true"', 'jest (; fi)'],
    ['sh -c "trap \'exit 0\' EXIT; jest"', 'trap exit 0 EXIT (exit 0)'],
    ['cross-env-shell A=1 "jest || true"', 'jest (|| true)'],
    ['eval "jest || true"', 'jest (|| true)'],
    ['concurrently "jest --ci || true" "mocha"', 'jest --ci (|| true)'],
    ['concurrently -s first "yarn start" "jest --ci"', 'concurrently -s first yarn start jest --ci (-s)'],
    ['run-p --race a b', 'run-p --race a b (--race)'],
    ['vitest run --dangerouslyIgnoreUnhandledErrors', 'vitest run --dangerouslyIgnoreUnhandledErrors (--dangerouslyIgnoreUnhandledErrors)'],
    ['mocha --pass-on-failing-test-suite', 'mocha --pass-on-failing-test-suite (--pass-on-failing-test-suite)'],
    ['make -i check', 'make -i check (-i)'],
    ['find . -exec node {} \\;', 'find . -exec node {} ; (;)'],
  ])('%j: %s', (script, what) => expect(said(script)[0]).toBe(`discards: ${what}`));
});

describe('a script that runs only some tests', () => {
  test.each<[script: string, what: string]>([
    ['jest -t unit', 'jest -t unit (-t)'],
    ['npx jest --ci --testNamePattern=unit a', 'npx jest --ci --testNamePattern=unit a (--testNamePattern=unit)'],
    ['vitest run -t "a b"', 'vitest run -t a b (-t)'],
    ['mocha --grep @slow --invert', 'mocha --grep @slow --invert (--grep)'],
    ['playwright test --grep-invert @slow', 'playwright test --grep-invert @slow (--grep-invert)'],
    ['node --test --test-name-pattern=a', 'node --test --test-name-pattern=a (--test-name-pattern=a)'],
    ['jest --findRelatedTests a.js', 'jest --findRelatedTests a.js (--findRelatedTests)'],
    ['jest --shard=2/2', 'jest --shard=2/2 (--shard=2/2)'],
    ['jest -o', 'jest -o (-o)'],
    ['vitest related run a.js', 'vitest related run a.js (related)'],
    ['sh -c "jest -t unit"', 'jest -t unit (-t)'],
    ['yarn unit -t a', 'jest --ci -t a (-t) in the script "unit"'],
    ['cross-env A=1 yarn run unit --testNamePattern a', 'jest --ci --testNamePattern a (--testNamePattern) in the script "unit"'],
    ['npm run unit -- -t a', 'jest --ci -t a (-t) in the script "unit"'],
    ['yarn workspace ui unit -t a', 'jest --ci -t a (-t) in the script "unit"'],
  ])('%j: %s', (script, what) => expect(said(script, { unit: 'jest --ci' })).toEqual([`some: ${what}`]));

  test.each(['jest --ci -i', 'tsc -t es2022 && jest', 'yarn build -t es2022 && jest', 'npm run unit -t a', 'grep -t a | true && jest'])(
    'not %j',
    (script) => expect(said(script, { unit: 'jest --ci', build: 'tsc' }).filter((one) => one.startsWith('some: '))).toEqual([]),
  );
});

describe('the scripts that it calls count,', () => {
  const unit = { unit: 'jest || true' };
  const found = ['discards: jest (|| true) in the script "unit"'];
  test.each([
    'yarn unit',
    'yarn run unit --ci',
    'npm run unit',
    'node --run unit',
    'run-s build unit',
    'run-p "un*"',
    'concurrently "yarn:unit"',
    'cross-env A=1 yarn unit',
    'start-server-and-test start 3000 unit',
    'sh -c "cd . && yarn unit"',
  ])('%s', (script) => expect(said(script, unit)).toEqual(found));

  test.each<[title: string, script: string, more: Readonly<Record<string, string>>, what: readonly string[]]>([
    ['through others', 'yarn a', { a: 'yarn b', b: 'yarn unit', ...unit }, found],
    [
      'those around a script of npm',
      'npm run x',
      { x: 'jest', posx: '', postx: 'jest; true' },
      ['discards: jest (; true) in the script "postx"'],
    ],
    ['those of the root', 'yarn run -T check', {}, ['discards: jest (|| true) in the script "check" of root']],
    ['those of another workspace', 'yarn workspace lib run lib:only', {}, ['discards: mocha (; exit 0) in the script "lib:only" of lib']],
    ['those that only one workspace has', 'yarn lib:only', {}, ['discards: mocha (; exit 0) in the script "lib:only" of lib']],
    ['in a circle', 'yarn a', { a: 'yarn test && yarn a' }, []],
    ['but not a pattern of files', 'vitest run unit', unit, []],
    ['but not the shell of npm as that of Yarn', 'npm run x', { x: 'set -e; jest; true' }, []],
  ])('%s', (_, script, more, what) => expect(said(script, more)).toEqual(what));

  test('also the commands of wireit', () => expect(said('wireit', {}, { test: 'jest || true' })).toEqual(['discards: jest (|| true)']));
});

describe('a script that cannot be read is told:', () => {
  test.each([
    'jest "',
    "jest 'x",
    'sh -c "case $X in a) jest;; esac"',
    'jest && ',
    `${'('.repeat(30)}jest${')'.repeat(30)}`,
    `jest ${'a'.repeat(1024 * 1024)}`,
    "node -e \"require('child_process').spawnSync('jest')\"",
    'node --input-type=module --eval "import(\'./run.mjs\')"',
  ])('%.40j', (script) => {
    const [only, ...more] = said(script);
    expect([only?.startsWith('unread: '), (only?.length ?? 0) < 200, more]).toEqual([true, true, []]);
  });
});

describe('a hostile script is read in bounded time, and told', () => {
  test.each<[what: string, script: string, more: Readonly<Record<string, string>>]>([
    ['brackets in quotes', `${"(echo ')' ; ".repeat(60)}jest`, {}],
    ['a long pipe', `${'a|'.repeat(2400)}a`, {}],
    [
      'a chain of scripts',
      'yarn s0',
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`s${at}`, at === 149 ? 'jest || true' : `yarn s${at + 1}`])),
    ],
  ])('%s', (_, script, more) => expect(said(script, more).join()).toContain('unread'));

  test('many stars, and many calls', () => {
    const names = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${'a'.repeat(36)}${at}`, 'true']));
    expect(said(`run-p "${'*a'.repeat(18)}*b"`, names)).toEqual([]);
    expect(said(`run-p ${'"*" '.repeat(800)}`, names).length).toBeGreaterThan(0);
  });

  test('what fails in the middle of a list does not stop a shell', () => {
    expect(said('bash -ec "jest && echo ok; echo done"')).not.toEqual([]);
  });
});
