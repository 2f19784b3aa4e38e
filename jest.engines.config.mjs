// The ring of `npm run test:engines`: emitted configuration is executed by engines that no one here wrote. A test whose engine is not on
// the machine is skipped; `scripts/engine-tools.sh` installs them.
import unit from './jest.config.mjs';

export default {
  ...unit,
  testMatch: ['<rootDir>/tools/*/src/**/*.engines.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
};
