import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addTimings, fileTimesOf, formatTimings, KEPT, machineOf, median, parseTimings, type Runs, runsOn, secondsOf } from './timings.js';

const DAY = 24 * 3600;

/** Seconds with whole milliseconds, as they are written. */
const seconds = fc.integer({ min: 0, max: DAY * 1000 }).map((milliseconds) => milliseconds / 1000);
const places = fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined });
/** The other values of a receipt beside the time. */
const measured = {
  testFiles: fc.option(fc.nat(), { nil: undefined }),
  cpuSeconds: fc.option(seconds, { nil: undefined }),
  cores: places,
  concurrency: places,
};

/** Runs as they are stored: those without a start first, the others by their start, each once. */
const runs = fc
  .tuple(
    fc.array(seconds),
    fc.uniqueArray(fc.record({ seconds, startedAt: fc.nat(), ...measured }), { selector: ({ startedAt }) => startedAt }),
  )
  .map(([old, begun]) =>
    [...old.map((one) => ({ seconds: one, startedAt: null })), ...begun.sort((a, b) => a.startedAt - b.startedAt)].slice(-KEPT),
  );
const timings = fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), runs).map((tasks): Runs => new Map(Object.entries(tasks)));

const invalid = (message: string): unknown => expect.objectContaining({ code: 'TIMINGS_INVALID', message });

function parse(text: string): Runs {
  return parseTimings(text, 'timings.json');
}

/** Returns runs without a known start. */
function old(tasks: readonly (readonly [task: string, seconds: readonly number[]])[]): Runs {
  return new Map(tasks.map(([task, all]) => [task, all.map((one) => ({ seconds: one, startedAt: null }))]));
}

describe('a file of timings', () => {
  test('is read as it was written', () => {
    fc.assert(fc.property(timings, (one) => expect(parse(formatTimings(one))).toEqual(one)));
  });

  test('is the same text whatever the order in which its tasks were added', () => {
    fc.assert(
      fc.property(timings, (one) => {
        expect(formatTimings(new Map([...one].toReversed()))).toBe(formatTimings(one));
      }),
    );
  });

  test('has a line for each task, so that a change of it can be read', () => {
    const text = formatTimings(
      old([
        ['b#test', [1, 2.0004]],
        ['@acme/a#build', []],
      ]),
    );
    expect(text).toBe('{\n  "schemaVersion": 1,\n  "tasks": {\n    "@acme/a#build": [],\n    "b#test": [1, 2]\n  }\n}\n');
    expect(formatTimings(new Map())).toBe('{\n  "schemaVersion": 1,\n  "tasks": {}\n}\n');
  });

  test('says apart when runs began, where that is known; whoever reads times alone still finds them', () => {
    const text = formatTimings(
      new Map([
        [
          'b#test',
          [
            { seconds: 1, startedAt: null },
            { seconds: 2, startedAt: 1_700_000_000_000 },
          ],
        ],
        ['a#test', [{ seconds: 3, startedAt: null }]],
      ]),
    );
    expect(text).toBe(
      '{\n  "schemaVersion": 1,\n  "tasks": {\n    "a#test": [3],\n    "b#test": [1, 2]\n  },\n  "startedAt": {\n    "b#test": [null, 1700000000000]\n  }\n}\n',
    );
  });

  test('says what the test files of a run took, whatever they are called', () => {
    const files = Object.fromEntries([
      ['__proto__', 1],
      ['a/b.test.ts', 0.5],
    ]);
    const one: Runs = new Map([
      [
        'a#test',
        [
          { seconds: 1, startedAt: 1 },
          { seconds: 2, startedAt: 2, testFiles: 2, files },
        ],
      ],
    ]);
    expect(formatTimings(one)).toContain('"files": {\n    "a#test": [null, {"__proto__":1,"a/b.test.ts":0.5}]\n  }');
    expect(parse(formatTimings(one))).toEqual(one);
    expect(fileTimesOf(parse(formatTimings(one)), 'a#test')).toEqual([
      { file: '__proto__', seconds: 1 },
      { file: 'a/b.test.ts', seconds: 0.5 },
    ]);
    expect(fileTimesOf(one, 'b#test')).toEqual([]);
  });

  test('may begin with a byte order mark', () => {
    expect(secondsOf(parse('\uFEFF{"schemaVersion":1,"tasks":{"a#test":[1]}}'))).toEqual(new Map([['a#test', [1]]]));
  });

  test('keeps the last ten times of a task', () => {
    const eleven = Array.from({ length: 11 }, (_, at) => at);
    const read = parse(JSON.stringify({ schemaVersion: 1, tasks: { a: eleven, b: eleven }, startedAt: { a: eleven } }));
    expect(secondsOf(read)).toEqual(
      new Map([
        ['a', eleven.slice(1)],
        ['b', eleven.slice(1)],
      ]),
    );
    expect(read.get('a')?.[0]).toEqual({ seconds: 1, startedAt: 1 });
  });

  test('may name a task like something that every object has', () => {
    const odd: Runs = new Map([
      ['__proto__', [{ seconds: 1, startedAt: 1 }]],
      ['constructor', [{ seconds: 2, startedAt: null }]],
    ]);
    expect(parse(formatTimings(odd))).toEqual(odd);
  });
});

describe('no timings are', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  test.each<[title: string, text: string, problem: string]>([
    ['an empty file', '', 'timings.json: it is not JSON'],
    ['half a file', '{"schemaVersion":1,"tasks":{"a":[1', 'timings.json: it is not JSON'],
    ['NaN', '{"schemaVersion":1,"tasks":{"a":[NaN]}}', 'timings.json: it is not JSON'],
    ['a list', '[]', 'timings.json: it has no "schemaVersion": 1'],
    ['null', 'null', 'timings.json: it has no "schemaVersion": 1'],
    ['a missing version', '{"tasks":{}}', 'timings.json: it has no "schemaVersion": 1'],
    ['another version', '{"schemaVersion":2,"tasks":{}}', 'timings.json: it has no "schemaVersion": 1'],
    ['no tasks', '{"schemaVersion":1}', 'timings.json: it has no "tasks"'],
    ['tasks that are a list', '{"schemaVersion":1,"tasks":[]}', 'timings.json: it has no "tasks"'],
    ['starts that are a list', '{"schemaVersion":1,"tasks":{},"startedAt":[]}', 'timings.json: its "startedAt" is not an object'],
    ...['1', '[]', '[1,2]', '["1"]', '[-1]', '[1e999]'].map((starts): [string, string, string] => [
      `${starts} as the start of a run`,
      `{"schemaVersion":1,"tasks":{"a":[1]},"startedAt":{"a":${starts}}}`,
      'timings.json: "a": its "startedAt" must have the start of the run for each time',
    ]),
    ['files that are a list', '{"schemaVersion":1,"tasks":{},"files":[]}', 'timings.json: its "files" is not an object'],
    ...['{}', '[]', '[1]', '[{"a":-1}]', '[{"a":"1"}]'].map((files): [string, string, string] => [
      `${files} as the times of test files`,
      `{"schemaVersion":1,"tasks":{"a":[1]},"files":{"a":${files}}}`,
      'timings.json: "a": its "files" must have the times of the test files for each time',
    ]),
    ...[
      ['cpuSeconds', '[-1]', 'the processor time for each time'],
      ['cpuSeconds', '["1"]', 'the processor time for each time'],
      ['cores', '[0]', 'the number of processors for each time'],
      ['cores', '[1.5]', 'the number of processors for each time'],
      ['concurrency', '[1, 1]', 'the most tasks that ran at once for each time'],
    ].map(([key, values, problem]): [string, string, string] => [
      `${values} as ${key}`,
      `{"schemaVersion":1,"tasks":{"a":[1]},"${key}":{"a":${values}}}`,
      `timings.json: "a": its "${key}" must have ${problem}`,
    ]),
    ['a number in place of a list', '{"schemaVersion":1,"tasks":{"a":1}}', 'timings.json: "a": it must be a list of seconds'],
  ])('%s', (_, text, problem) => {
    expect(() => parse(text)).toThrow(invalid(`The timings cannot be used: ${problem}.`));
  });

  test.each<[title: string, time: string, shown: string]>([
    ['a negative time', '-1', '-1'],
    ['more than a day', '86400.5', '86400.5'],
    ['more than a number can be', '1e999', 'null'],
    ['a text', '"12"', '"12"'],
    ['a long text', JSON.stringify('x'.repeat(1_000_000)), `"${'x'.repeat(39)}`],
    ['nothing', 'null', 'null'],
    ['a list', '[1]', 'what stands there'],
    ['lists in lists without end', deep, 'what stands there'],
  ])('%s', (_, time, shown) => {
    expect(() => parse(`{"schemaVersion":1,"tasks":{"@acme/a#test":[1,${time}]}}`)).toThrow(
      invalid(
        `The timings cannot be used: timings.json: "@acme/a#test": ${shown} is not a valid time of a task: it must be from 0 to ${DAY} seconds.`,
      ),
    );
  });

  test('and a task with a long name does not make a long message', () => {
    const text = JSON.stringify({ schemaVersion: 1, tasks: { ['\n'.repeat(100_000)]: [-1] } });
    expect(() => parse(text)).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{1,400}$/) }));
  });
});

describe('more times', () => {
  const few = fc.dictionary(fc.constantFrom('a#test', 'b#test'), runs).map((tasks): Runs => new Map(Object.entries(tasks)));

  test('without a start stand behind those that are known, of which the last ten are kept', () => {
    const times = fc.dictionary(fc.constantFrom('a#test', 'b#test'), fc.array(seconds, { maxLength: KEPT })).map(Object.entries<number[]>);
    fc.assert(
      fc.property(times, times, (known, more) => {
        const all = secondsOf(addTimings(old(known), old(more)));
        const [before, after] = [new Map(known), new Map(more)];
        for (const task of new Set([...before.keys(), ...after.keys()]))
          expect(all.get(task)).toEqual([...(before.get(task) ?? []), ...(after.get(task) ?? [])].slice(-KEPT));
      }),
    );
  });

  test('are the last that began, however they came together, and added again they change nothing', () => {
    // There is one run of a task at one time.
    const begun = fc
      .nat({ max: 40 })
      .map((startedAt) => ({ startedAt, seconds: startedAt / 8, files: startedAt % 3 === 0 ? undefined : { a: startedAt } }));
    const some = fc.dictionary(fc.constantFrom('a#test', 'b#test'), fc.array(begun)).map((tasks): Runs => new Map(Object.entries(tasks)));
    const sorted = (all: Runs): unknown => Object.fromEntries(all);
    fc.assert(
      fc.property(some, some, (one, other) => {
        const both = addTimings(addTimings(new Map(), one), other);
        expect(sorted(addTimings(addTimings(new Map(), other), one))).toEqual(sorted(both));
        expect(addTimings(addTimings(both, one), other)).toEqual(both);
        for (const all of both.values()) expect(all.filter(({ files }) => files !== undefined).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('never are more than are kept', () => {
    fc.assert(fc.property(few, few, (one, other) => [...addTimings(one, other).values()].every((all) => all.length <= KEPT)));
  });
});

describe('the machine', () => {
  const run = (startedAt: number, cores?: number, concurrency?: number): Runs =>
    new Map([['a#test', [{ seconds: 1, startedAt, cores, concurrency }]]]);

  test('is that of the newest run that tells of one', () => {
    const runsOf = addTimings(addTimings(run(1, 2, 10), run(2, 4, 5)), run(3));
    expect(machineOf(runsOf)).toEqual({ cores: 4, concurrency: 5 });
    expect(machineOf(run(1))).toBeUndefined();
    expect(machineOf(new Map())).toBeUndefined();
  });

  test('decides which runs of a task count, if any ran on such a one', () => {
    const known = addTimings(addTimings(run(1, 2, 10), run(2, 2, 1)), new Map([['b#test', [{ seconds: 2, startedAt: 0 }]]]));
    const startsOf = (runs: Runs): unknown => [...runs].map(([task, all]) => [task, all.map(({ startedAt }) => startedAt)]);
    expect(startsOf(runsOn(known, machineOf(known)))).toEqual([
      ['a#test', [2]],
      ['b#test', [0]],
    ]);
    expect(runsOn(known, undefined)).toEqual(known);
  });

  test('is the largest of those that began at once, whatever the order', () => {
    const [one, other] = [run(1, 2, 10), new Map([['b#test', run(1, 4, 1).get('a#test') ?? []]])];
    expect(machineOf(addTimings(one, other))).toEqual({ cores: 4, concurrency: 1 });
    expect(machineOf(addTimings(other, one))).toEqual({ cores: 4, concurrency: 1 });
  });
});

describe('the median', () => {
  test.each<[seconds: readonly number[], middle: number | undefined]>([
    [[], undefined],
    [[4], 4],
    [[10, 2], 6],
    [[3, 1, 2], 2],
    [[1, 100, 2, 3], 2.5],
    [[10, 9, 8, 100], 9.5],
  ])('of %j is %p', (all, middle) => expect(median(all)).toBe(middle));

  test('has as many on each side', () => {
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 1 }), (all) => {
        const middle = median(all) ?? Number.NaN;
        expect(all.filter((one) => one < middle).length).toBeLessThanOrEqual(all.length / 2);
        expect(all.filter((one) => one > middle).length).toBeLessThanOrEqual(all.length / 2);
      }),
    );
  });
});
