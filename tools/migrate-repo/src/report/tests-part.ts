import type { MigrateResult } from '../result/result.js';
import type { Coverage, PackageTestsResult, SideTestsResult, TestsResult } from '../result/tests-result.js';
import { namesOf } from '../text.js';

const OUTCOMES = ['newly failing', 'flaky', 'failed before', 'newly passing', 'not compared', 'same'] as const;

/** Returns one sentence with the number of packages for each outcome; `undefined` for a plan. */
export function testsSentence(tests: MigrateResult['tests']): string | undefined {
  if (tests === null) return undefined;
  if (tests.level === 'off') return NOT_COMPARED[tests.reason ?? 'off'];
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = tests.packages.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const given = tests.variables.length === 0 ? '' : ` Variables from you: ${tests.variables.join(', ')}.`;
  const uncounted = tests.packages.filter((one) => one.outcome === 'same' && one.before.passed === null && one.after.passed === null);
  const unknown =
    tests.level !== 'test' || uncounted.length === 0
      ? ''
      : ` No number of tests is known for ${namesOf(uncounted.map(({ name }) => name))}, so perhaps none ran.`;
  return `${TITLES[tests.level]} before and after: ${counts.join(', ')}.${unknown}${given}`;
}

const TITLES = { install: 'Installations', build: 'Builds', test: 'Tests' } as const;

const NOT_COMPARED: { readonly [Reason in NonNullable<TestsResult['reason']>]: string } = {
  off: 'Tests were not compared: --tests off.',
  'not agreed': 'Tests were not compared: that runs code of the sources. To allow it, add --tests test.',
  declined: 'Tests were not compared: you declined to run code of the sources.',
  'not run': 'Tests were not compared: they could not be run.',
  'no lockfile': 'Tests were not compared: the branch was not installed (no yarn.lock of Yarn 2 or later, or --no-install).',
};

/** Returns lines for the terminal about each package whose outcome is not `same`. */
export function testLines({ packages }: TestsResult): readonly string[] {
  return inOrder(packages)
    .filter(({ outcome }) => outcome !== 'same')
    .flatMap((one) => [
      `  ${one.name}: ${one.outcome}; before ${describeSide(one.before)}, after ${describeSide(one.after)}`,
      ...(one.log === null ? [] : [`     Log: ${one.log}`]),
    ]);
}

/** Returns the report's section about tests, in Markdown; empty for a plan. */
export function testsSection(tests: MigrateResult['tests']): string {
  const sentence = testsSentence(tests);
  if (tests === null || sentence === undefined) return '';
  const others = inOrder(tests.packages).filter(({ outcome }) => outcome !== 'same');
  const head = '| package | outcome | before | after |\n| --- | --- | --- | --- |';
  const rows = inOrder(tests.packages).map(
    ({ name, outcome, before, after }) => `| ${name} | ${outcome} | ${describeSide(before)} | ${describeSide(after)} |`,
  );
  const table =
    rows.length === 0
      ? []
      : [rows.length <= OPEN ? [head, ...rows].join('\n') : folded(`${rows.length} packages`, [head, ...rows].join('\n'))];
  return ['## Tests before and after', sentence, ...others.map(details), ...table].join('\n\n');
}

/** The maximum number of rows that are not folded. */
const OPEN = 10;

function inOrder(packages: readonly PackageTestsResult[]): readonly PackageTestsResult[] {
  return OUTCOMES.flatMap((outcome) => packages.filter((one) => one.outcome === outcome));
}

function details(one: PackageTestsResult): string {
  const outputs = (['before', 'after'] as const).flatMap((side) =>
    one[side].output === '' ? [] : [folded(`Output ${side}`, `~~~text\n${one[side].output.replaceAll('~~~', '~ ~ ~')}\n~~~`)],
  );
  const sides = `Before: ${describeSide(one.before)}. After: ${describeSide(one.after)}.`;
  return [`### ${one.name}: ${one.outcome}`, sides, ...outputs].join('\n\n');
}

function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Returns `passed, 57 tests, 98.1 % of lines` or `failed, 50 passed and 7 failed`. */
function describeSide({ result, passed, failed, coverage, runs, remarks }: SideTestsResult): string {
  const counts =
    passed === null
      ? []
      : [failed === 0 || failed === null ? (passed === 1 ? '1 test' : `${passed} tests`) : `${passed} passed and ${failed} failed`];
  const covered = coverage === null ? [] : [describeCoverage(coverage)];
  const repeated = runs === 1 ? [] : [`the last of ${runs} runs`];
  const notes = [...repeated, ...remarks.map((remark) => remark.replace(/\.$/, ''))];
  return [[result, ...counts, ...covered].join(', '), ...(notes.length === 0 ? [] : [`(${notes.join('; ')})`])].join(' ');
}

function describeCoverage(coverage: Coverage): string {
  return Object.entries(coverage)
    .map(([kind, percent]) => `${percent} % of ${kind}`)
    .join(', ');
}
