import { describe, expect, test } from '@jest/globals';
import { upperBound } from './bound.js';
import { judgeLedger, whyNotNarrow } from './judge-ledger.js';
import { parseLedger } from './ledger.js';
import { escapedLedger, ledgers, MadeLedger, selecting } from './shadow-documents.fixture.js';

// Tables of Clopper and Pearson, and the closed form for none: 1 - 0.05^(1/n).
test.each([
  [0, 0, 1],
  [0, 10, 0.258_866],
  [0, 298, 0.010_002_5],
  [0, 299, 0.009_969_2],
  [1, 10, 0.394_163],
  [1, 473, 0.009_989],
  [5, 100, 0.102_253],
  [2, 2, 1],
  [0, 100_000, 0.000_029_957],
  [4_000, 10_000, 0.408_129],
])('%i of %i: at most %f', (escapes, trials, bound) => {
  expect(upperBound(escapes, trials)).toBeCloseTo(bound, 5);
});

const PASSED = { passed: ['app', 'lib', 'web'] };

describe('an entry', () => {
  function second(
    outcomes: Parameters<MadeLedger['add']>[0],
    selected = selecting('app'),
    first: Parameters<MadeLedger['add']>[0] = PASSED,
  ) {
    const ledger = new MadeLedger();
    ledger.add(first);
    return ledger.add(outcomes, selected);
  }

  test('names who failed twice and was not selected', () => {
    expect(second({ failed: ['app', 'lib'], passed: ['web'] })).toMatchObject({ failed: ['app', 'lib'], escapes: ['lib'], before: [] });
  });

  test('takes a failure that nobody repeated for an escape', () => {
    expect(second({ once: ['lib'], passed: ['app', 'web'] })).toMatchObject({ once: ['lib'], escapes: ['lib'] });
  });

  test('counts no flaky failure', () => {
    expect(second({ flaky: ['lib'], passed: ['app', 'web'] })).toMatchObject({ flaky: ['lib'], failed: [], escapes: [] });
  });

  test('counts no failure of before, however it failed then', () => {
    const before = { failed: ['lib'], once: ['web'], passed: ['app'] };
    const entry = second({ failed: ['web', 'lib'], passed: ['app'] }, selecting('app'), before);
    expect(entry).toMatchObject({ before: ['lib', 'web'], failed: [], escapes: [] });
  });

  test('counts one that was flaky before', () => {
    expect(second({ failed: ['lib'] }, selecting('app'), { flaky: ['lib'] })).toMatchObject({ failed: ['lib'], escapes: ['lib'] });
  });

  test('takes a failure at the same commit for flaky', () => {
    const none = { ...selecting(), changes: 0 };
    expect(second({ failed: ['lib'], passed: ['app', 'web'] }, none)).toMatchObject({ flaky: ['lib'], failed: [], escapes: [] });
  });

  test('counts a new or renamed workspace only as an escape', () => {
    expect(second({ failed: ['new'] }, selecting('new'))).toMatchObject({ before: ['new'], failed: [], escapes: [] });
    expect(second({ failed: ['new'] }, selecting('app'))).toMatchObject({ failed: ['new'], escapes: ['new'] });
  });

  test('that is compared with nothing tells no failure of a change', () => {
    const entry = new MadeLedger().add({ failed: ['app'], once: ['lib'], passed: ['web'] });
    expect(entry).toMatchObject({ base: null, before: ['app', 'lib'], failed: [], once: [], escapes: [] });
  });
});

describe('a ledger', () => {
  const [clean, escaped, young] = ledgers().map(({ entries }) => judgeLedger(entries));

  test('is proven with 300 trials and no escape', () => {
    expect(clean).toMatchObject({ runs: 601, trials: 300, missed: 0, narrow: 'allowed' });
    expect(clean?.bound).toBeCloseTo(0.00994, 5);
  });

  test('says so after an escape', () => {
    expect(escaped).toMatchObject({ trials: 2, missed: 2, bound: 1, narrow: 'escape' });
    expect(escaped?.escapes.map(({ workspace, isRepeated }) => [workspace, isRepeated])).toEqual([
      ['app', false],
      ['web', true],
    ]);
    expect(escaped && whyNotNarrow(escaped)).toBe('the tests of web failed at 0000000000 and were not selected');
  });

  test('with one escape is not proven by any number of trials, because somebody looks at it each night', () => {
    const ledger = new MadeLedger();
    ledger.add(PASSED);
    ledger.add({ failed: ['lib'], passed: ['app', 'web'] }, selecting('app'));
    for (let run = 0; run < 600; run++) {
      ledger.add({ failed: ['app'], passed: ['lib', 'web'] }, selecting('app'));
      ledger.add(PASSED);
    }
    expect(judgeLedger(ledger.entries)).toMatchObject({ trials: 601, missed: 1, narrow: 'escape' });
  });

  test('proves nothing without a trial', () => {
    expect(young).toMatchObject({ trials: 0, bound: 1, narrow: 'too-few' });
  });

  test.each<[why: string, add: (ledger: MadeLedger) => void]>([
    [
      'observations spared nobody, as those of another repository',
      (ledger) => ledger.add({ failed: ['app'], passed: ['lib', 'web'] }, { ...selecting('app'), spared: new Set() }),
    ],
    [
      'one of the changes did not select who broke',
      (ledger) => ledger.add({ failed: ['app'], passed: ['lib', 'web'] }, { ...selecting('app'), byEach: new Set() }),
    ],
    [
      'another version of affected judged',
      (ledger) => ledger.add({ failed: ['app'], passed: ['lib', 'web'] }, selecting('app'), { version: '0.0.9' }),
    ],
    ['nobody repeated the failure', (ledger) => ledger.add({ once: ['app'], passed: ['lib', 'web'] }, selecting('app'))],
    [
      'it was judged without observations',
      (ledger) => ledger.add({ failed: ['app'], passed: ['lib', 'web'] }, { ...selecting('app'), spared: new Set() }, { observed: 'off' }),
    ],
    ['all passed', (ledger) => ledger.add(PASSED, selecting('app'))],
  ])('counts no trial where %s', (_, add) => {
    const ledger = new MadeLedger();
    ledger.add(PASSED);
    add(ledger);
    expect(judgeLedger(ledger.entries).trials).toBe(0);
  });

  test('counts several failures of one run once', () => {
    const ledger = new MadeLedger();
    ledger.add(PASSED);
    ledger.add({ failed: ['app', 'lib'], passed: ['web'] }, selecting('app', 'lib'));
    expect(judgeLedger(ledger.entries).trials).toBe(1);
  });
});

describe('a file of a ledger', () => {
  const text = (): string => escapedLedger().text;
  const lines = (): readonly string[] => text().split('\n');

  test('is read back', () => {
    for (const one of ledgers()) expect(parseLedger(one.text, 'x')).toEqual(one.entries);
    expect(parseLedger('', 'x')).toEqual([]);
  });

  test.each<[how: string, broken: () => string, problem: string]>([
    ['cut off', () => text().slice(0, -1), 'its last line is cut off'],
    ['cut off in a line', () => `${text().slice(0, 100)}\n`, 'line 1 is not JSON'],
    ['without a line in the middle', () => [lines()[0], ...lines().slice(2)].join('\n'), 'line 2 does not follow the line before it'],
    [
      'with an edited line',
      () => text().replace('"once":["app"]', '"once":[]').replace('"escapes":["app"]', '"escapes":[]'),
      'line 3 does not follow',
    ],
    ['with an escape that is kept back in the last line', () => text().replace('"escapes":["web"]', '"escapes":[]'), 'has other escapes'],
    ['of a later version', () => text().replace('"schemaVersion":1', '"schemaVersion":2'), 'line 1 is of another version'],
    ['of something else', () => '[]\n', 'line 1 is not of a ledger'],
    ['with a list that is missing', () => text().replace('"before":[],', ''), 'line 1 is not of a ledger'],
    [
      'with a workspace twice',
      () => text().replace('"passed":["app","lib","web"]', '"passed":["app","app","web"]'),
      'line 1 is not of a ledger',
    ],
    [
      'with trials of observations that spared somebody else',
      () => text().replace('"spared":["web"]', '"spared":["none"]'),
      'selects a workspace',
    ],
    ['that contradicts itself', () => text().replace('"selectedByEach":[]', '"selectedByEach":["app"]'), 'contradicts what it selects'],
    ['that selects who is not there', () => text().replace('"selected":[]', '"selected":["none"]'), 'selects a workspace'],
    ['without its beginning', () => lines().slice(1).join('\n'), 'line 1 does not follow'],
  ])('is refused if it is %s', (_, broken, problem) => {
    expect(() => parseLedger(broken(), 'x')).toThrow(problem);
  });
});
