// The last step of `.ci/run`: `node scripts/sum-tests.mjs test:0 long+engines:124 browser:left-out` adds up the results of the rings in
// `.test-results` of each workspace. A number is the exit code of the command that ran the ring, or several rings. The last line is
// `tests: N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { listWorkspaces } from './workspaces.mjs';

const root = process.cwd();
const rings = process.argv.slice(2).map((argument) => {
  const [name = '', end = ''] = argument.split(':');
  return { name, end };
});
if (rings.length === 0 || rings.some(({ end }) => !/^(left-out|\d+)$/.test(end))) {
  console.error('usage: node scripts/sum-tests.mjs <ring>[+<ring>…]:<exit code | left-out> …');
  process.exit(2);
}

const counts = rings.map(countRings);
for (const { lines } of counts) for (const line of lines) console.log(line);
const { passed, failed, skipped } = add(counts);
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Counts the rings of one command. What was left out counts as one skipped test. A command that failed has at least one failed test,
 * whatever the files of its rings say.
 */
function countRings({ name, end }) {
  if (end === 'left-out') return { passed: 0, failed: 0, skipped: 1, lines: [`${name}: left out`] };
  const count = add(name.split('+').map(countRing));
  if (count.failed > 0) return { ...count, lines: [...count.lines, `${name}: failed`] };
  // All tests passed but the command failed: the build, the lint or the time-out.
  if (end !== '0') return { ...count, failed: 1, lines: [`${name}: tests passed, but its command ended with ${end}`] };
  return { ...count, lines: [`${name}: passed`] };
}

function countRing(name) {
  const ran = listWorkspaces(root).filter((folder) => hasTests(folder, name));
  // Each ring has tests somewhere; if there are none, its name is wrong.
  if (ran.length === 0) return { passed: 0, failed: 1, skipped: 0, lines: [`${name}: no workspace has a script "${name}"`] };
  return add(ran.map((folder) => countWorkspace(folder, name)));
}

/**
 * Returns whether a workspace has tests of a ring. Every workspace has the ring `test`, even without a script in package.json; the other
 * rings need a script.
 */
function hasTests(folder, ring) {
  return ring === 'test' || JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).scripts?.[ring] !== undefined;
}

/** Counts the tests of a workspace. A missing result, or one without tests, is a failure: the tests did not run. */
function countWorkspace(folder, ring) {
  const result = readResult(folder, ring);
  const total = result?.numTotalTests ?? 0;
  const failed = result === undefined ? 0 : result.numFailedTests + result.numRuntimeErrorTestSuites;
  if (total === 0 && failed === 0) return { passed: 0, failed: 1, skipped: 0, lines: [`${ring}: the tests of ${folder} did not run`] };
  const lines = (result.testResults ?? []).flatMap((file) => nameFailures(file).map((name) => `${ring} ${name}`));
  return { passed: result.numPassedTests, failed, skipped: result.numPendingTests + result.numTodoTests, lines };
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
function readResult(folder, ring) {
  try {
    return JSON.parse(readFileSync(join(root, folder, '.test-results', `${ring}.json`), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function add(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), lines: counts.flatMap(({ lines }) => lines) };
}
