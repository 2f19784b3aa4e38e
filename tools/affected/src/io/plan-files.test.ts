import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { planOfPieces } from '../gate/proof.fixture.js';
import { appendSummary, readPlan, readRuns, readTimings, writePlan, writeTimings } from './plan-files.js';

const cleanUp = cleanUpIn(afterEach);
let folder: TempFolder;

beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
});

const withCode = (code: string, message: unknown): unknown => expect.objectContaining({ code, message });

describe('a plan', () => {
  test('is read as it was written, also into a folder that is not there yet', () => {
    const plan = planOfPieces([['ui'], ['app']]);
    writePlan(folder.join('a', 'plan.json'), plan);
    expect(readPlan(folder.join('a', 'plan.json'))).toEqual(plan);
    expect(readdirSync(folder.join('a'))).toEqual(['plan.json']);
  });

  test('that is not there, or is a folder, is none', () => {
    const gone = folder.join('gone.json');
    expect(() => readPlan(gone)).toThrow(withCode('PLAN_INVALID', `The plan ${gone} cannot be read (ENOENT).`));
    expect(() => readPlan(folder.path)).toThrow(withCode('PLAN_INVALID', `The plan ${folder.path} cannot be read (EISDIR).`));
  });

  test('that is something else is none', () => {
    const file = folder.write('plan.json', '{}');
    expect(() => readPlan(file)).toThrow(withCode('PLAN_INVALID', `${file} cannot be used as a plan: it is no plan.`));
  });
});

describe('timings', () => {
  const one = new Map([['a#test', [1]]]);

  test('are read as they were written', () => {
    writeTimings(folder.join('sub', 'timings.json'), one);
    expect(readTimings(folder.join('sub', 'timings.json'))).toEqual(one);
  });

  test('of a folder are those of all its files, in the order of their names', () => {
    writeTimings(folder.join('2.json'), new Map([['a#test', [2]]]));
    writeTimings(folder.join('1.json'), one);
    folder.write('notes.txt', 'x');
    expect(readTimings(folder.path)).toEqual(new Map([['a#test', [1, 2]]]));
  });

  test('that are not there are no error, and an empty folder holds none', () => {
    folder.write('file', '');
    for (const path of ['gone.json', 'gone/below', 'file/below']) expect(readTimings(folder.join(path))).toBeUndefined();
    folder.write('empty/x', '');
    expect(readTimings(folder.join('empty'))).toEqual(new Map());
  });

  test('that cannot be read are named', () => {
    const file = folder.write('timings.json', '{"schemaVersion":1,"tasks":{"a":[-1]}}');
    for (const path of [file, folder.path])
      expect(() => readTimings(path)).toThrow(withCode('TIMINGS_INVALID', expect.stringContaining(`${file}: "a": -1 is no time`)));
  });
});

describe('run summaries', () => {
  test('are those of a folder, in the order of their names; none if it is not there', () => {
    folder.write('b.json', '{"tasks":[]}');
    folder.write('a.json', '{"tasks":[{"package":"a","task":"t","hash":"h","execution":{"startTime":1,"endTime":2,"exitCode":0}}]}');
    folder.write('x.log', 'x');
    expect(readRuns(folder.path).map((tasks) => tasks.length)).toEqual([1, 0]);
    expect(readRuns(folder.join('gone'))).toEqual([]);
  });

  test('that are none are named', () => {
    const file = folder.write('a.json', '{');
    expect(() => readRuns(folder.path)).toThrow(withCode('TURBO_FAILED', `${file} is no run summary of turborepo.`));
  });
});

test('a summary stands behind what others have written', () => {
  const file = folder.join('sub', 'summary.md');
  appendSummary(file, '# one\n');
  appendSummary(file, '# two\n');
  expect(readFileSync(file, 'utf8')).toBe('# one\n# two\n');
  mkdirSync(folder.join('is-a-folder'));
  expect(() => appendSummary(folder.join('is-a-folder'), 'x')).toThrow();
});
