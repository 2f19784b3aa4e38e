import { expect, test } from '@jest/globals';
import { type DeclaredInputs, type Hashed, readTaskInputs } from './task-inputs.js';

const A = 'packages/a';

// Each was checked with turborepo 2.11.9. task-inputs.long.test.ts compares random ones.
test.each<[inputs: DeclaredInputs, file: string, hashed: Hashed]>([
  [[], 'packages/a/data.json', 'hashed'],
  [[], 'packages/b/data.json', 'not-hashed'],
  [[], 'packages/ab/data.json', 'not-hashed'],
  [['$TURBO_DEFAULT$'], 'packages/a/data.json', 'hashed'],
  ['unknown', 'packages/a/data.json', 'unknown'],
  [['src/**'], 'packages/a/src/deep/x.ts', 'hashed'],
  [['src/**'], 'packages/a/src', 'unknown'],
  [['src/**'], 'packages/a/data.json', 'not-hashed'],
  [['src/**'], 'packages/a/package.json', 'hashed'],
  [['src/**'], 'packages/a/turbo.json', 'hashed'],
  [['src/**', '!*.json'], 'packages/a/package.json', 'unknown'],
  [['src'], 'packages/a/src/deep/x.ts', 'hashed'],
  [['./src/'], 'packages/a/src/x.ts', 'hashed'],
  [['.env/'], 'packages/a/.env', 'unknown'],
  [['*a*a*a*a*a*b'], `packages/a/${'a'.repeat(200)}`, 'unknown'],
  [['**/a/**/a/**/a/**/a/**/a/**/b'], `packages/a/${'a/'.repeat(60)}x`, 'unknown'],
  [['*'], 'packages/a/x.ts', 'hashed'],
  [['*'], 'packages/a/src/x.ts', 'unknown'],
  [['**/*.ts'], 'packages/a/x.ts', 'hashed'],
  [['**/*.ts'], 'packages/a/.hidden/x.ts', 'hashed'],
  [['**/*.ts'], 'packages/a/x.tsx', 'not-hashed'],
  [['{src,lib}/*.{ts,tsx}'], 'packages/a/lib/x.tsx', 'hashed'],
  [['*.json'], 'packages/a/DATA.JSON', 'not-hashed'],
  [['!src/**'], 'packages/a/data.json', 'not-hashed'],
  [['src/**', '!src/x.ts'], 'packages/a/src/x.ts', 'not-hashed'],
  [['!src/x.ts', 'src/**'], 'packages/a/src/x.ts', 'not-hashed'],
  [['src/**', '!src/x.ts', 'src/x.ts'], 'packages/a/src/x.ts', 'unknown'],
  [['$TURBO_DEFAULT$', '!data.json'], 'packages/a/data.json', 'not-hashed'],
  [['$TURBO_DEFAULT$', '!data.json'], 'packages/a/src/x.ts', 'hashed'],
  // turborepo excludes all or nothing of a folder in a negation, depending on the rest.
  [['$TURBO_DEFAULT$', '!src'], 'packages/a/src/x.ts', 'unknown'],
  [['../b/**'], 'packages/b/data.json', 'hashed'],
  [['$TURBO_DEFAULT$', '$TURBO_ROOT$/tsconfig.json'], 'tsconfig.json', 'hashed'],
  [['$TURBO_ROOT$/packages/a/src/**'], 'packages/a/src/x.ts', 'hashed'],
  [['../../../outside/**'], 'packages/a/x.ts', 'unknown'],
  // An unparsed input may mean anything.
  [['src/?.ts'], 'packages/a/data.json', 'unknown'],
  [['[a-z]*'], 'packages/a/data.json', 'unknown'],
  [['src/../*.json'], 'packages/a/data.json', 'unknown'],
  [['src**'], 'packages/a/src/x.ts', 'unknown'],
  [['node_modules/b/**'], 'packages/b/data.json', 'unknown'],
  [['$TURBO_DEFAULT$', '!src/?.ts'], 'packages/a/data.json', 'unknown'],
  [['*'], 'packages/a/ä.json', 'unknown'],
  [[], 'packages/a/ä.json', 'hashed'],
])('%j: %s is %s', (inputs, file, hashed) => expect(readTaskInputs(inputs, A).hashed(file)).toBe(hashed));

test('a folder that is a pattern itself is not read: turborepo reads its name as one', () => {
  expect(readTaskInputs(['*'], 'packages/[a]').hashed('packages/[a]/x.ts')).toBe('unknown');
  expect(readTaskInputs([], 'packages/[a]').hashed('packages/[a]/x.ts')).toBe('hashed');
});

test.each<[inputs: DeclaredInputs, isWhole: boolean, leaves: boolean]>([
  [[], true, false],
  [['$TURBO_DEFAULT$', '$TURBO_ROOT$/x'], true, true],
  [['$TURBO_DEFAULT$', '!../b/**'], false, false],
  [['**'], false, false],
  [['src/../../b/*'], false, true],
  ['unknown', false, true],
])('%j: all of the workspace is hashed: %s, and files of others may be: %s', (inputs, isWhole, leaves) =>
  expect(readTaskInputs(inputs, A)).toMatchObject({ isWhole, leaves }),
);
