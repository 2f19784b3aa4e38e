import { Script } from 'node:vm';
import { expect, test } from '@jest/globals';
import { startMachineCode } from './machine-code.js';

// (module (func (export "double") (param i32) (result i32) local.get 0 local.get 0 i32.add))
const DOUBLE = 'AGFzbQEAAAABBgFgAX8BfwMCAQAHCgEGZG91YmxlAAAKCQEHACAAIABqCw==';
const TEXT = 'const one = () => 1; one();';

test('what is exported can be called', () => {
  const { double } = startMachineCode(DOUBLE) as { double: (number: number) => number };
  expect(double(21)).toBe(42);
});

// It would be refused if the engine ran under other settings than before.
test.each([DOUBLE, 'AAAA'])('what was compiled before is taken afterwards: %s', (code) => {
  const cachedData = new Script(TEXT).createCachedData();
  expect(new Script(TEXT, { cachedData }).cachedDataRejected).toBe(false);
  try {
    startMachineCode(code);
  } catch (error) {
    expect(String(error)).toMatch(/CompileError/);
  }
  expect(new Script(TEXT, { cachedData }).cachedDataRejected).toBe(false);
});
