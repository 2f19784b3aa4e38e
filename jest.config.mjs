// One Jest process for all packages. A ring is a suffix: `x.test.ts` runs in `npm test`, `x.long.test.ts` in `npm run test:long`,
// `x.engines.test.ts` in `npm run test:engines`, `x.browser.test.ts` in `npm run test:browser`.
import { mkdirSync } from 'node:fs';

// `--outputFile` does not make its folder.
mkdirSync(new URL('.test-results', import.meta.url), { recursive: true });

export default {
  testEnvironment: 'node',
  // Jest leaves one core alone by default; of two that is half the machine.
  maxWorkers: '100%',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/{packages,tools}/*/src/**/*.test.ts', '<rootDir>/bench/src/**/*.test.ts', '<rootDir>/scripts/**/*.test.mjs'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(long|engines|browser)\\.test\\.'],
  // Tests read the sources, never `dist`: `tsc -b` leaves the outputs of deleted files behind and they would still resolve.
  testEnvironmentOptions: { customExportConditions: ['@tributary/source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
  testTimeout: 30_000,
};
