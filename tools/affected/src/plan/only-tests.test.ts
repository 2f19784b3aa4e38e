import { expect, test } from '@jest/globals';
import { lineOfOnly } from './only-tests.js';

test.each<[text: string, line: number | undefined]>([
  ['', undefined],
  ["it('a', () => {});\nit.only('b', () => {});", 2],
  ["\n\ndescribe.concurrent.only('b', () => {});", 3],
  ["test.only.each([1])('b', () => {});", 1],
  ["suite.only('b'); context.only('c')", 1],
  ["test.describe.only('b', () => {});", 1],
  ["fit('b', () => {});", 1],
  ["test('b', { only: true }, () => {});", 1],
  ["test('b', {\n  timeout: 1,\n  only: true,\n});", 1],
  ['test({ only: true }, () => {});', 1],
  ["fdescribe.each([1])('b', () => {});", 1],
  ["fit.each`a`('b', () => {});", 1],
  ["fit.failing('b', () => {});", 1],
  ["\nit\n  .only('b', () => {});", 2],
  ["const t = test.extend({});\nt.only('b', () => {});", 2],
  ["const t = test.extend({});\nt('b', { only: true }, () => {});", 2],
  ["// it.only('b')\n/* it.only('b') */ const text = 'it.only(1)' + \"it.only(2)\" + `it.only(3)\n`;", undefined],
  ["benefit('b'); exit.only(); a.it.only; const only = true;", undefined],
  ["const find = { only: true };\ntest.skip('b', () => find);\nrun('b', { only: true });", undefined],
  ["t.only('b'); test('b', () => expect(find({ only: true })));", undefined],
  ["it.skip('b', () => {});\nconst x = { onlyOne: true };", undefined],
])('%j', (text, line) => expect(lineOfOnly(text)).toBe(line));
