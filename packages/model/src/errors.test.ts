import { expect, jest, test } from '@jest/globals';
import { ERROR_CODES, isToolError, ToolError } from './errors.js';

test('every code is listed once, in capitals', () => {
  expect([...new Set(ERROR_CODES)]).toEqual(ERROR_CODES);
  expect(ERROR_CODES.filter((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code))).toEqual([]);
});

test('codes that begin with the same word stand together', () => {
  const words = ERROR_CODES.map((code) => code.split('_')[0]);
  const groups = words.filter((word, at) => word !== words[at - 1]);
  expect(groups).toEqual([...new Set(words)]);
});

test('an error is recognised across the copies of its class that several bundle files have', async () => {
  jest.resetModules();
  const copy = await import('./errors.js');
  expect(copy.ToolError).not.toBe(ToolError);
  const error = new copy.ToolError({ code: 'USAGE', message: 'x' });
  expect(error).not.toBeInstanceOf(ToolError);
  expect([isToolError(error), copy.isToolError(new ToolError({ code: 'USAGE', message: 'x' }))]).toEqual([true, true]);
});

test.each([undefined, null, 'USAGE', 7, new Error('x'), { code: 'USAGE', message: 'x', name: 'ToolError' }].map((value) => [value]))(
  '%p is none',
  (value) => {
    expect(isToolError(value)).toBe(false);
  },
);

test('it carries its parts, and the cause stays out of the JSON', () => {
  const cause = new Error('inner');
  const error = new ToolError({ code: 'GIT_FAILED', message: 'It broke.', hint: 'Repair it.', data: { exit: 128 }, cause });
  expect([error.name, error.message, error.cause, `${error}`]).toEqual(['ToolError', 'It broke.', cause, 'ToolError: It broke.']);
  expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 'GIT_FAILED', message: 'It broke.', hint: 'Repair it.', data: { exit: 128 } });
});

test('what was not said is absent', () => {
  const error = new ToolError({ code: 'USAGE', message: 'x' });
  expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 'USAGE', message: 'x', data: {} });
  expect('cause' in error).toBe(false);
});
