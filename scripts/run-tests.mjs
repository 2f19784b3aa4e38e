// Runs rings of tests: `node scripts/run-tests.mjs <ring> [<ring> …] [options and patterns of Jest]`. In the root folder it runs those of all
// workspaces in one Jest, in the folder of a workspace its own. The file name shows the ring: `x.test.ts`, `x.long.test.ts`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The limits of one test in milliseconds. Rings that wait for other programs have longer ones. */
const LIMITS_MS = { test: 300_000, long: 600_000, engines: 600_000, browser: 600_000, stores: 1_800_000 };

const words = process.argv.slice(2);
const count = words.findIndex((word) => !Object.hasOwn(LIMITS_MS, word));
const rings = count === -1 ? words : words.slice(0, count);
if (rings.length === 0) {
  console.error(`usage: node scripts/run-tests.mjs ${Object.keys(LIMITS_MS).join(' | ')} … [options and patterns of Jest]`);
  process.exit(2);
}

const results = join(process.cwd(), '.test-results');
const result = join(results, `${rings.join('+')}.json`);
// `--outputFile` does not create its folder. A killed run must not leave the result of the previous one in its place.
mkdirSync(results, { recursive: true });
rmSync(result, { force: true });

const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--config', join(root, 'jest.config.mjs'), '--rootDir', process.cwd()];
const limit = String(Math.max(...rings.map((ring) => LIMITS_MS[ring])));
const options = [...filesOf(rings), '--testTimeout', limit, '--json', '--outputFile', result, ...words.slice(rings.length)];
const env = rings.includes('long') ? { ...process.env, TRIBUTARY_ALL_CASES: '1' } : process.env;
const ran = spawnSync(process.execPath, [...node, ...jest, ...options], { stdio: 'inherit', env });
process.exitCode = ran.status ?? 1;

/** `x.test.ts` has no ring in its name: the other rings are left out by their names. The ring `long` runs all cases of properties too. */
function filesOf(wanted) {
  const others = Object.keys(LIMITS_MS).filter((ring) => ring !== 'test' && !wanted.includes(ring));
  const named = wanted.flatMap((ring) => (ring === 'test' ? ['**/*.test.{ts,mjs}'] : [`**/*.${ring}.test.{ts,mjs}`]));
  const properties = wanted.includes('long') && !wanted.includes('test') ? filesWithCases().map((file) => `**/${file}`) : [];
  const leftOut = ['/node_modules/', '/dist/', '/out/', ...others.map((ring) => `\\.${ring}\\.test\\.`)];
  return ['--testMatch', ...named, ...properties, '--testPathIgnorePatterns', ...leftOut];
}

/** Returns the test files that try a property with `cases` of packages/test-repo, relative to the current folder. */
function filesWithCases() {
  // In a container the checkout may belong to another user, and git would refuse to read it.
  const found = spawnSync('git', ['-c', 'safe.directory=*', 'grep', '-lE', '\\bcases\\([0-9]', '--', '*.test.ts'], { encoding: 'utf8' });
  return found.stdout
    .trim()
    .split('\n')
    .filter((file) => file !== '');
}
