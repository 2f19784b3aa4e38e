// The settings of Jest for every workspace. `scripts/run-tests.mjs` starts it, and says which tests and how long each may take.
import { fileURLToPath } from 'node:url';

export default {
  testEnvironment: 'node',
  // Jest leaves one core alone by default; of two that is half the machine.
  maxWorkers: '100%',
  testSequencer: fileURLToPath(new URL('scripts/jest-sequencer.mjs', import.meta.url)),
  extensionsToTreatAsEsm: ['.ts'],
  // Tests read the sources, never `dist`: `tsc -b` leaves the outputs of deleted files behind and they would still resolve.
  testEnvironmentOptions: { customExportConditions: ['@tributary/source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
};
