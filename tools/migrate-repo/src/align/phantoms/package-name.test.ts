import { expect, test } from '@jest/globals';
import { packageOf, typesOf } from './package-name.js';

test.each([
  ['a', 'a'],
  ['a/b/c.js', 'a'],
  ['@acme/ui', '@acme/ui'],
  ['@acme/ui/button', '@acme/ui'],
  ['lodash.throttle', 'lodash.throttle'],
  ['punycode/', 'punycode'],
  ['Base64', 'Base64'],
  ['punycode', undefined],
  ['fs/promises', undefined],
  ['node:test', undefined],
  ['./a', undefined],
  ['..', undefined],
  ['/a', undefined],
  ['#a', undefined],
  ['@acme', undefined],
  ['@/components/a', undefined],
  ['~/a', undefined],
  ['node_modules/a', undefined],
  ['https://a', undefined],
  ['virtual:a', undefined],
  ['a?raw', undefined],
  ['raw-loader!./a', undefined],
  ['', undefined],
])('%j is resolved in %s', (specifier, name) => {
  expect(packageOf(specifier)).toBe(name);
});

test('types of a package with a scope have its name in their own', () => {
  expect(['react', '@babel/core'].map(typesOf)).toEqual(['@types/react', '@types/babel__core']);
});
