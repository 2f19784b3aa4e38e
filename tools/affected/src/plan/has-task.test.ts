import { describe, expect, test } from '@jest/globals';
import { whyNoTests } from './has-task.js';

const reasonFor = (script: string): string | undefined =>
  whyNoTests({ name: 'app', path: 'packages/app', scripts: new Map([['test', script]]) }, 'test', new Map([['test', []]]));

describe('a script that runs no test', () => {
  test.each([
    'echo ok',
    'echo "no test; specified" && exit 0',
    "echo 'x; y' ; true",
    'exit 0; jest',
    'exit 0 # jest',
    'exit # jest',
    '# jest',
    'exit 0 || jest',
    'true || jest',
    ': || jest --ci && true',
    'echo ok || jest || vitest; exit 0',
    'true\nexit\njest',
  ])('%j', (script) => expect(reasonFor(script)).toBe(`Its script "test" runs nothing: ${script.trim()}`));
});

describe('a script that may run tests', () => {
  test.each([
    'jest',
    "echo 'x; exit; ' && jest",
    'echo "x && exit 0" ; jest',
    'echo a\\; exit 0; jest',
    'echo "$(jest)"',
    'echo "it\'s" it\'s; exit 0; jest',
    'true || echo ok && jest',
    'true || echo ok; jest',
    'echo ok # jest && jest',
    'echo a#b && jest',
    'echo a # b; exit 0\njest',
    'exit 1',
    'exit 0 | jest',
    'true | jest',
    'false || jest',
    'jest || true',
    'echo ok & jest',
  ])('%j', (script) => expect(reasonFor(script)).toBeUndefined());
});
