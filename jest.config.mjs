// One Jest process for all packages. A ring is a suffix: `x.test.ts` runs in `npm test`, `x.long.test.ts` in `npm run test:long`.
const ring = process.env.TRIBUTARY_RING ?? 'unit';

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ring === 'unit' ? ['<rootDir>/{packages,tools,scripts,bench}/**/*.test.{ts,mjs}'] : [`<rootDir>/{packages,tools}/*/src/**/*.${ring}.test.ts`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/out/', ...(ring === 'unit' ? ['\\.(long)\\.test\\.'] : [])],
  modulePathIgnorePatterns: ['/dist/', '/out/'],
  // Tests read the sources, never `dist`: `tsc -b` leaves the outputs of deleted files behind and they would still resolve.
  testEnvironmentOptions: { customExportConditions: ['@tributary/source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
  testTimeout: 30_000,
};
