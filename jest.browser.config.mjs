// The ring of `npm run test:browser`: pages are opened in a real browser, the one that `CHROMIUM` names or the machine has. Without one its tests are skipped.
import unit from './jest.config.mjs';

export default {
  ...unit,
  testMatch: ['<rootDir>/tools/*/src/**/*.browser.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
