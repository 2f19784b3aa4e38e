// The ring of `npm run test:long`. A file and no variable: turbo hides the environment, and not every shell can set one in front of a command.
import unit from './jest.config.mjs';

export default {
  ...unit,
  testMatch: ['<rootDir>/{packages,tools}/*/src/**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
};
