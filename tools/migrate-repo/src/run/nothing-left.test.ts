import { expect, test } from '@jest/globals';
import { type ErrorCode, ToolError } from '@tributary/model/errors';
import type { LeftOutPackage } from '../plan/facts.js';
import { nothingLeft } from './nothing-left.js';

const leftOut = (name: string, code: ErrorCode): LeftOutPackage => ({
  name: name as LeftOutPackage['name'],
  error: new ToolError({ code, message: `${name} stays.`, hint: `Look at ${name}.` }),
});
const came = (name: string): LeftOutPackage => leftOut(name, 'ALREADY_MIGRATED');
const lost = (name: string): LeftOutPackage => leftOut(name, 'SOURCE_UNREACHABLE');
const ALONE = 'Migrate one of them alone to see its hint.';

test.each<[LeftOutPackage[], string, string]>([
  [[came('a'), lost('b')], '1 of the 2 packages was migrated before, and the other one cannot be migrated.', 'Look at b.'],
  [[came('a'), came('b'), lost('c')], '2 of the 3 packages were migrated before, and the other one cannot be migrated.', 'Look at c.'],
  [[came('a'), lost('b'), lost('c')], '1 of the 3 packages was migrated before, and the other 2 cannot be migrated.', ALONE],
  [[lost('a'), lost('b')], 'None of the 2 packages can be migrated.', ALONE],
  [[came('a'), came('b')], 'All 2 packages are migrated already.', '"migrate-repo status" lists them.'],
])('where nothing is left, the packages are counted, and one that fails alone has its own hint: %#', (packages, counts, hint) => {
  const error = nothingLeft(packages);
  expect([error.code, error.message.split('\n')[0], error.hint]).toEqual(['PACKAGES_LEFT_OUT', counts, hint]);
});

test('those that failed are listed, or all where none failed', () => {
  expect(nothingLeft([came('a'), lost('b')]).message).toMatch(/\n {2}b: b stays\. \[SOURCE_UNREACHABLE\]$/);
  expect(nothingLeft([came('a'), came('b')]).message.split('\n')).toHaveLength(3);
  expect(nothingLeft([lost('a')])).toMatchObject({ code: 'SOURCE_UNREACHABLE', hint: 'Look at a.' });
});
