/** The numbers of tests that a runner reports. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Returns the counts at the end of the output of mocha, vitest, jest, node:test, node-tap, tape, lab, ava or uvu;
 * `undefined` if there are none. The counts of several runs in one output are added up, even of different runners.
 */
export function parseCounts(output: string): TestCounts | undefined {
  const found = READERS.flatMap((read) => read(output));
  return found.length === 0 ? undefined : { passed: sumOf(found, 'passed'), failed: sumOf(found, 'failed') };
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

/** node-tap, at the outermost level: `# { total: 99, pass: 98, fail: 1 }`; before version 16: `Asserts:  1 failed, 9 passed, of 10`. */
function tapCounts(output: string): TestCounts[] {
  const countOf = (line: string, word: string): number => Number(new RegExp(`\\b${word}: (\\d+)`).exec(line)?.[1] ?? 0);
  const found = [...output.matchAll(/^# \{ total: .* \}$/gm)].map(([line]) => ({
    passed: countOf(line, 'pass'),
    failed: countOf(line, 'fail'),
  }));
  const old = [...output.matchAll(/^Asserts: +(?:(\d+) failed, )?(\d+) passed/gm)];
  return [...found, ...old.map(([, failed, passed]) => ({ passed: Number(passed), failed: Number(failed ?? 0) }))];
}

/** node:test: `ℹ tests 5`, …, `ℹ pass 4`, `ℹ fail 1`, or with `#`; tape: `# tests 5`, `# pass  5`, `# fail  1` or `# ok`. */
function nodeCounts(output: string): TestCounts[] {
  const blocks = output.matchAll(/^[ℹ#] tests +\d+\n((?:[ℹ#] \w+ +[\d.]+\n?)*)/gm);
  const countOf = (block: string, word: string): number => Number(new RegExp(`^[ℹ#] ${word} +(\\d+)`, 'm').exec(block)?.[1] ?? 0);
  return [...blocks].map(([, block = '']) => ({ passed: countOf(block, 'pass'), failed: countOf(block, 'fail') }));
}

/** lab: `57 tests complete (1 skipped)` or, in other versions, `57 tests passed`; `1 of 57 tests failed`. */
function labCounts(output: string): TestCounts[] {
  const bad = [...output.matchAll(/^(\d+) of (\d+) tests failed/gm)].map(([, failed, all]) => ({
    passed: Number(all) - Number(failed),
    failed: Number(failed),
  }));
  const good = [...output.matchAll(/^(\d+) tests? (?:complete|passed)(?: \(.*\))?$/gm)];
  return [...bad, ...good.map(([, passed]) => ({ passed: Number(passed), failed: 0 }))];
}

/** ava: `  56 tests passed`; if one fails, only `  1 test failed`, and a line `  ✔ title` for each that passes. */
function avaCounts(output: string): TestCounts[] {
  const count = (word: string): readonly number[] =>
    [...output.matchAll(new RegExp(`^ +(\\d+) tests? ${word}$`, 'gm'))].map(([, number]) => Number(number));
  const [passed, failed] = [count('passed'), count('failed')];
  if (failed.length === 0) return passed.map((number) => ({ passed: number, failed: 0 }));
  const ticks = [...output.matchAll(/^ +✔ (?!\[expected fail\])/gm)].length;
  return [{ passed: Math.max(ticks, sum(passed)), failed: sum(failed) }];
}

/** `  Total:     5`, `  Passed:    4`. */
function uvuCounts(output: string): TestCounts[] {
  const found = output.matchAll(/^ *Total: +(\d+)\n *Passed: +(\d+)$/gm);
  return [...found].map(([, total, passed]) => ({ passed: Number(passed), failed: Number(total) - Number(passed) }));
}

const READERS = [mochaCounts, vitestCounts, tapCounts, nodeCounts, uvuCounts, labCounts, avaCounts];

function sumOf(all: readonly TestCounts[], count: keyof TestCounts): number {
  return sum(all.map((one) => one[count]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
