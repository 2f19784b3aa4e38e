import { describe, expect, test } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { checkSize, readSeconds, readTasks } from './plan-options.js';

describe('a time', () => {
  test.each<[text: string, seconds: number]>([
    ['90s', 90],
    ['10m', 600],
    ['1.5m', 90],
    ['1h', 3600],
    ['0.25h', 900],
    ['0.001s', 0.001],
    ['999999h', 3_599_996_400],
  ])('%s', (text, seconds) => expect(readSeconds(text)).toBe(seconds));

  test.each([
    '',
    '0',
    '10',
    '0s',
    '0.000',
    '-1',
    '-5m',
    '+5m',
    '1e3',
    'NaN',
    'Infinity',
    '10 m',
    ' 10m',
    '10m ',
    '10min',
    '1d',
    '1h30m',
    '.5m',
    '1.m',
    '1,5m',
    '0x10',
    '1000000',
    '1.0001',
    '10M',
    '１0m',
    '10m\n',
  ])('none: %j', (text) => {
    expect(() => readSeconds(text)).toThrow(new InvalidArgumentError('It must be a time such as 90s, 10m or 1h.'));
  });
});

describe('how many machines', () => {
  const usual = { maxShards: 20, setupTime: 60 };

  test.each([{}, { shards: 1 }, { shards: 4000, maxShards: 4000 }, { targetTime: 600 }, { maxShards: 4000 }])(
    'may be asked for as %j',
    (size) => {
      expect(() => checkSize({ ...usual, ...size })).not.toThrow();
    },
  );

  test.each<[size: object, message: string]>([
    [{ shards: 2, targetTime: 600 }, '--target-time and --shards cannot be used together.'],
    [{ shards: 21 }, '--shards 21 is above --max-shards, which is 20.'],
    [{ shards: 4001 }, '--shards is above 4000, the most that any engine supports.'],
    [{ maxShards: 4001 }, '--max-shards is above 4000, the most that any engine supports.'],
  ])('may not: %j', (size, message) => {
    expect(() => checkSize({ ...usual, ...size })).toThrow(expect.objectContaining({ code: 'USAGE', message }));
  });
});

describe('names of tasks', () => {
  test.each<[text: string, tasks: readonly string[]]>([
    ['test', ['test']],
    ['test,lint,build', ['test', 'lint', 'build']],
    ['test, lint', ['test', 'lint']],
    ['@acme/ui#test', ['@acme/ui#test']],
  ])('%p', (text, tasks) => expect(readTasks(text)).toEqual(tasks));

  test('not in two options, of which the last would count', () => {
    expect(() => readTasks('lint', readTasks('test'))).toThrow('Give the option once: --task test,lint');
  });

  test.each(['', ',', 'test,', 'test,,lint', ' ', 'test,test', 'test, test', 'test,ui#lint'])('not %p', (text) => {
    expect(() => readTasks(text)).toThrow(InvalidArgumentError);
  });
});
