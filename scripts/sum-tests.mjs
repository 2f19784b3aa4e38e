// The last step of `.ci/run`: `node scripts/sum-tests.mjs test:0 long:124 engines:0 browser:left-out` adds up the results in `.test-results`. A
// number is the exit code of the command that ran these rings. The last line is `tests: N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = process.cwd();
const commands = process.argv.slice(2).map((argument) => {
  const [rings = '', end = ''] = argument.split(':');
  return { rings, end };
});
if (commands.length === 0 || commands.some(({ end }) => !/^(left-out|\d+)$/.test(end))) {
  console.error('usage: node scripts/sum-tests.mjs <ring>[+<ring>…]:<exit code | left-out> …');
  process.exit(2);
}

const counts = commands.map(countTests);
for (const { lines } of counts) for (const line of lines) console.log(line);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => counts.reduce((sum, count) => sum + count[key], 0));
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Counts the tests of one command. What was left out is one skipped test. A command that failed has at least one failed test, whatever its
 * result says. A missing result, or one without tests, is a failure: the tests did not run.
 */
function countTests({ rings, end }) {
  if (end === 'left-out') return { passed: 0, failed: 0, skipped: 1, lines: [`${rings}: left out`] };
  const result = readResult(rings);
  if (result === undefined) return { passed: 0, failed: 1, skipped: 0, lines: [`${rings}: the tests did not run`] };
  const failures = (result.testResults ?? []).flatMap((file) => nameFailures(file).map((name) => `${rings} ${name}`));
  const count = { passed: result.numPassedTests, skipped: result.numPendingTests + result.numTodoTests };
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  if (failed > 0) return { ...count, failed, lines: [...failures, `${rings}: failed`] };
  if (result.numTotalTests === 0) return { ...count, failed: 1, lines: [`${rings}: the tests did not run`] };
  // All tests passed but the command failed: the build, the lint or the time-out.
  if (end !== '0') return { ...count, failed: 1, lines: [`${rings}: tests passed, but their command ended with ${end}`] };
  return { ...count, failed: 0, lines: [`${rings}: passed`] };
}

/**
 * Returns the failed tests of one file with their messages, because the log of a ring is long and often cut. A file that did not load is
 * one failure.
 */
function nameFailures({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const file = relative(root, name);
  if (failed.length === 0) return status === 'failed' ? [`failed: ${file}\n${cut(message)}`] : [];
  return failed.map((test) => `failed: ${file}: ${test.fullName}\n${cut(test.failureMessages.join('\n'))}`);
}

/** Returns the first lines, without colours and indented. */
function cut(message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 30);
  return lines.map((line) => `    ${line.slice(0, 200)}`).join('\n');
}

/** Returns Jest's result; `undefined` if it is missing or incomplete. */
function readResult(rings) {
  try {
    return JSON.parse(readFileSync(join(root, '.test-results', `${rings}.json`), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
