// The settings of Jest for every workspace. `scripts/run-tests.mjs` starts it in the folder of a workspace, for one ring of tests.
export default {
  testEnvironment: 'node',
  // turborepo runs two workspaces side by side (turbo.json), each on all cores: tests wait for programs and disks, and no core is idle at
  // the end. Jest leaves one core alone by default; of two that is half the machine.
  maxWorkers: '100%',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.test.{ts,mjs}'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/out/', '\\.(long|engines|browser|stores)\\.test\\.'],
  // Tests read the sources, never `dist`: `tsc -b` leaves the outputs of deleted files behind and they would still resolve.
  testEnvironmentOptions: { customExportConditions: ['@tributary/source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
  // For what hangs. Many tests start programs, and on a busy machine a second of work takes half a minute.
  testTimeout: 300_000,
};
