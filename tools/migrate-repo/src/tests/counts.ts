/** How many tests a runner says that it ran. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** The counts that the output of mocha, vitest, jest or tap ends with; `undefined` where it has none. Of several runs in one output, their sum. */
export function parseCounts(output: string): TestCounts | undefined {
  for (const read of [mochaCounts, vitestCounts, tapCounts]) {
    const found = read(output);
    if (found.length > 0) return { passed: sumOf(found, 'passed'), failed: sumOf(found, 'failed') };
  }
  return undefined;
}

/** `  57 passing (23ms)`, then `  1 pending`, then `  1 failing`. */
function mochaCounts(output: string): TestCounts[] {
  const found = output.matchAll(/^ +(\d+) passing \(.*\)$(?:\n^ +\d+ pending$)?(?:\n^ +(\d+) failing$)?/gm);
  return [...found].map(([, passed, failed]) => ({ passed: Number(passed), failed: Number(failed ?? 0) }));
}

/** `      Tests  1 failed | 56 passed (57)`; jest: `Tests:       1 failed, 56 passed, 57 total`. */
function vitestCounts(output: string): TestCounts[] {
  const found = output.matchAll(/^ *Tests:? +(.*\d+ (?:passed|failed).*)$/gm);
  const countOf = (line: string, word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return [...found].map(([, line = '']) => ({ passed: countOf(line, 'passed'), failed: countOf(line, 'failed') }));
}

/** Comments at the end of the outermost level: `# { total: 99, pass: 98, fail: 1 }`. */
function tapCounts(output: string): TestCounts[] {
  const found = output.matchAll(/^# \{ total: .* \}$/gm);
  const countOf = (line: string, word: string): number => Number(new RegExp(`\\b${word}: (\\d+)`).exec(line)?.[1] ?? 0);
  return [...found].map(([line]) => ({ passed: countOf(line, 'pass'), failed: countOf(line, 'fail') }));
}

function sumOf(all: readonly TestCounts[], count: keyof TestCounts): number {
  return all.reduce((sum, one) => sum + one[count], 0);
}
