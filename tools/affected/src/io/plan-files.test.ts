import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { planOfPieces } from '../gate/proof.fixture.js';
import { secondsOf } from '../timings/timings.js';
import { mergeTimings, readPlan, readTimings, writePlan } from './plan-files.js';

const cleanUp = cleanUpIn(afterEach);
let folder: TempFolder;

beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
});

const withCode = (code: string, message: unknown): unknown => expect.objectContaining({ code, message });

function unwritable(path: string, why: unknown): unknown {
  return typeof why === 'string' ? withCode('FILE_UNUSABLE', `${path} cannot be written, because ${why}.`) : withCode('FILE_UNUSABLE', why);
}

describe('a plan', () => {
  test('is read as it was written, also into a folder that is not there yet', () => {
    const plan = planOfPieces([['ui'], ['app']]);
    writePlan(folder.join('a', 'plan.json'), plan);
    expect(readPlan(folder.join('a', 'plan.json'))).toEqual(plan);
    expect(readdirSync(folder.join('a'))).toEqual(['plan.json']);
  });

  test('is not written where a folder stands, or below a file, and nothing is left there', () => {
    const plan = planOfPieces([['ui']]);
    folder.write('sub/keep', '');
    folder.write('file', 'x');
    expect(() => writePlan(folder.join('sub'), plan)).toThrow(unwritable(folder.join('sub'), 'it is a folder (EISDIR)'));
    for (const below of ['file/plan.json', 'file/sub/plan.json'])
      expect(() => writePlan(folder.join(below), plan)).toThrow(
        unwritable(folder.join(below), expect.stringMatching(/a part of its path is not a folder \((EEXIST|ENOTDIR)\)/)),
      );
    expect(readdirSync(folder.path)).toEqual(['file', 'sub']);
    expect(readdirSync(folder.join('sub'))).toEqual(['keep']);
  });

  test('never takes away a folder that is called like half of it', () => {
    folder.write('plan.json.part/keep', '');
    writePlan(folder.join('plan.json'), planOfPieces([['ui']]));
    expect(readdirSync(folder.join('plan.json.part'))).toEqual(['keep']);
  });

  test('that is not there, or is a folder, is none', () => {
    const gone = folder.join('gone.json');
    expect(() => readPlan(gone)).toThrow(withCode('PLAN_INVALID', `The plan ${gone} cannot be read (ENOENT).`));
    expect(() => readPlan(folder.path)).toThrow(withCode('PLAN_INVALID', `The plan ${folder.path} cannot be read (EISDIR).`));
  });

  test('that is something else is none', () => {
    const file = folder.write('plan.json', '{}');
    expect(() => readPlan(file)).toThrow(withCode('PLAN_INVALID', `${file} cannot be used as a plan: it is not a plan.`));
  });
});

describe('timings', () => {
  const one = new Map([['a#test', [{ seconds: 1, startedAt: 1000 }]]]);

  test('are read as they were written', () => {
    mergeTimings(folder.join('sub', 'timings.json'), one);
    expect(readTimings(folder.join('sub', 'timings.json'))).toEqual(one);
  });

  test('of a folder are those of all its files, by when they began, and each run once', () => {
    folder.write('1.json', '{"schemaVersion":1,"tasks":{"a#test":[3]}}');
    mergeTimings(folder.join('2.json'), new Map([['a#test', [{ seconds: 2, startedAt: 2000 }]]]));
    for (const name of ['3.json', '4.json']) mergeTimings(folder.join(name), one);
    folder.write('notes.txt', 'x');
    expect(secondsOf(readTimings(folder.path) ?? new Map())).toEqual(new Map([['a#test', [3, 1, 2]]]));
  });

  test('that are not there are no error, and an empty folder holds none', () => {
    folder.write('file', '');
    for (const path of ['gone.json', 'gone/below', 'file/below']) expect(readTimings(folder.join(path))).toBeUndefined();
    folder.write('empty/x', '');
    expect(readTimings(folder.join('empty'))).toEqual(new Map());
  });

  test('of a folder that holds a folder called like a file are an error that names it', () => {
    folder.write('x.json/keep', '');
    expect(() => readTimings(folder.path)).toThrow(
      withCode('FILE_UNUSABLE', `${folder.join('x.json')} cannot be read, because it is a folder (EISDIR).`),
    );
  });

  test('are not written where a folder stands', () => {
    expect(() => mergeTimings(folder.path, one)).toThrow(unwritable(folder.path, 'it is a folder (EISDIR)'));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('that cannot be read are named', () => {
    const file = folder.write('timings.json', '{"schemaVersion":1,"tasks":{"a":[-1]}}');
    for (const path of [file, folder.path])
      expect(() => readTimings(path)).toThrow(withCode('TIMINGS_INVALID', expect.stringContaining(`${file}: "a": -1 is not a valid time`)));
  });
});
