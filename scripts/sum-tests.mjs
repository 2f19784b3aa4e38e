// The end of `.ci/run`: `node scripts/sum-tests.mjs unit:0 long:124 engines:left-out` adds up what the rings wrote into `.test-results`.
// A number is the exit code of the ring's command. The last line is `tests: N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), '.test-results');
const rings = process.argv.slice(2).map((argument) => {
  const [name = '', end = ''] = argument.split(':');
  return { name, end };
});
if (rings.length === 0 || rings.some(({ end }) => !/^(left-out|\d+)$/.test(end))) {
  console.error('usage: node scripts/sum-tests.mjs <ring>:<exit code | left-out> …');
  process.exit(2);
}

const counts = rings.map(countRing);
for (const { line } of counts) console.log(line);
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`tests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/** A ring that was left out counts as one skipped test; one that ended badly has at least one failed test, whatever its file says. */
function countRing({ name, end }) {
  if (end === 'left-out') return { passed: 0, failed: 0, skipped: 1, line: `${name}: left out` };
  const result = readResult(name);
  if (result === undefined) return { passed: 0, failed: 1, skipped: 0, line: `${name}: no result; its command ended with ${end}` };
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const count = { passed: result.numPassedTests, failed, skipped: result.numPendingTests + result.numTodoTests };
  // All tests passed and the command failed: the build, the lint or the time-out.
  if (failed === 0 && end !== '0') return { ...count, failed: 1, line: `${name}: tests passed, but its command ended with ${end}` };
  return { ...count, line: `${name}: ${failed === 0 ? 'passed' : 'failed'}` };
}

/** What Jest wrote; `undefined` where there is nothing whole to read. */
function readResult(name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
