import { expect, test } from '@jest/globals';
import { ToolError } from '@tributary/model/errors';
import { type FuzzTarget, fuzz, fuzzCase, fuzzSeconds, tryText } from './fuzz.js';

const target = (parse: (text: string) => unknown): FuzzTarget => ({ name: 'parser', seeds: ['{"a": [1, "b"]}'], parse });

test('a number always gives the same text, and different numbers different ones', () => {
  const texts = Array.from({ length: 200 }, (_, number) => fuzzCase(['{"a": 1}'], number));
  expect(texts).toEqual(Array.from({ length: 200 }, (_, number) => fuzzCase(['{"a": 1}'], number)));
  expect(new Set(texts).size).toBeGreaterThan(150);
});

test('a crash is found, with the text that made it', async () => {
  await expect(fuzz(target(JSON.parse), 5)).rejects.toThrow(/^parser, case \d+: "/);
});

test('a failure with a name is no crash', () => {
  const refuse = (): never => {
    throw new ToolError({ code: 'USAGE', message: 'No.' });
  };
  expect(() => tryText(target(refuse), 'x', 'text')).not.toThrow();
});

test('a changed prototype is found, and changed back', () => {
  const pollute = (): void => void Object.assign(Object.getPrototypeOf({}), { polluted: 1 });
  expect(() => tryText(target(pollute), 'x', 'text')).toThrow('a prototype got the property "polluted" from parser, text: "x"');
  expect({}).not.toHaveProperty('polluted');
});

test('a parser that only pollutes for hostile text is found too', async () => {
  const merge = (text: string): void => {
    if (text.includes('__proto__')) Object.assign(Object.getPrototypeOf({}), { polluted: 1 });
  };
  await expect(fuzz(target(merge), 20)).rejects.toThrow('a prototype got the property');
});

test('FUZZ_MINUTES is shared among all targets', () => {
  expect([fuzzSeconds({}), fuzzSeconds({ FUZZ_MINUTES: '10' }), fuzzSeconds({ FUZZ_MINUTES: 'x' })]).toEqual([0.75, 15, 0.75]);
});
