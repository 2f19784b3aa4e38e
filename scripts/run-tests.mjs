// Runs one ring of tests of the workspace in the current folder: `node ../../scripts/run-tests.mjs <ring> [options and patterns of Jest]`.
// In the root folder it runs that ring of all workspaces. The file name shows the ring: `x.test.ts`, `x.long.test.ts`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Options that differ from jest.config.mjs. Rings that `.ci/run` runs side by side have longer limits. */
const RINGS = {
  test: [],
  long: ringOptions('long', 600_000),
  engines: ringOptions('engines', 600_000),
  browser: ringOptions('browser', 600_000),
  stores: ringOptions('stores', 1_800_000),
};

const [ring = '', ...options] = process.argv.slice(2);
if (!Object.hasOwn(RINGS, ring)) {
  console.error(`usage: node scripts/run-tests.mjs ${Object.keys(RINGS).join(' | ')} [options and patterns of Jest]`);
  process.exit(2);
}

const results = join(process.cwd(), '.test-results');
const result = join(results, `${ring}.json`);
// `--outputFile` does not create its folder. A killed run must not leave the result of the previous one in its place.
mkdirSync(results, { recursive: true });
rmSync(result, { force: true });

const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--config', join(root, 'jest.config.mjs'), '--rootDir', process.cwd()];
const ran = spawnSync(process.execPath, [...node, ...jest, ...RINGS[ring], '--json', '--outputFile', result, ...options], {
  stdio: 'inherit',
});
process.exitCode = ran.status ?? 1;

function ringOptions(name, limitMs) {
  return ['--testMatch', `**/*.${name}.test.ts`, '--testPathIgnorePatterns', '/node_modules/', '--testTimeout', String(limitMs)];
}
