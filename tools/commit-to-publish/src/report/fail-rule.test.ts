import { expect, test } from '@jest/globals';
import type { ClusteredValue } from '../statistics/releases.js';
import { judgeRule, parseFailRule, type RuleVerdict, rulesWithoutRows } from './fail-rule.js';
import { figuresOf } from './figures.js';
import type { ReportRow } from './report.js';

const DAY = 24 * 3600e6;

test.each([
  ['p90>5d', { figure: 'p90', kind: 'time', limit: 5 * DAY }],
  [' P50 > 1.5 h ', { figure: 'p50', kind: 'time', limit: 1.5 * 3600e6 }],
  ['p90>+20%', { figure: 'p90', kind: 'growth', limit: 0.2 }],
])('%s is a rule', (text, rule) => {
  expect(parseFailRule(text)).toEqual({ text: text.trim(), ...rule });
});

test.each(['', 'p90', 'p90>5', 'p95>5d', 'p90<5d', 'p90>20%', 'p90>+5d', 'p90>-20%', 'p90>5d; rm'])('%j is none', (text) => {
  expect(parseFailRule(text)).toBeUndefined();
});

/** Returns the values of `releases` releases with four changes each, of about `days` days. */
function values(days: number, releases: number): readonly ClusteredValue[] {
  return Array.from({ length: 4 * releases }, (_, at) => ({
    value: days * DAY * (0.8 + ((at * 7919) % 100) / 250),
    cluster: `r${at % releases}`,
  }));
}

interface Scene {
  readonly before?: readonly ClusteredValue[];
  readonly atLeast?: number;
  readonly atLeastBefore?: number;
}

function verdict(
  text: string,
  now: readonly ClusteredValue[],
  { before = [], atLeast = 0, atLeastBefore = 0 }: Scene = {},
): string | undefined {
  const rule = parseFailRule(text);
  if (rule === undefined) throw new Error(text);
  const row = { group: 'ui', atLeast, ...figuresOf(now, atLeast) } as ReportRow;
  return judgeRule(rule, row, { now: { values: now, atLeast }, before: { values: before, atLeast: atLeastBefore } })?.verdict;
}

test('a bar is broken only where the interval is beyond it', () => {
  expect(verdict('p50>5d', values(10, 40))).toBe('broken');
  expect(verdict('p50>20d', values(10, 40))).toBe('kept');
  // The figure is beyond the bar, but not the interval; or there are too few releases for an interval.
  expect(verdict('p50>9.9d', values(10, 12))).toBe('open');
  expect(verdict('p90>5d', values(10, 12))).toBe('open');
  // With too few changes for the figure there is no verdict.
  expect(verdict('p90>5d', values(10, 3))).toBeUndefined();
});

test('growth is over the time before, and none is known without it', () => {
  expect(verdict('p50>+20%', values(10, 40), { before: values(5, 40) })).toBe('broken');
  expect(verdict('p50>+20%', values(10, 40), { before: values(9.9, 40) })).toBe('kept');
  expect(verdict('p50>+20%', values(10, 5), { before: values(5, 5) })).toBe('open');
  expect(verdict('p50>+20%', values(10, 40))).toBeUndefined();
});

test('growth needs as many changes before as a comparison does', () => {
  expect(verdict('p90>+20%', values(10, 40), { before: values(1, 40) })).toBe('broken');
  expect(verdict('p90>+20%', values(10, 40), { before: values(1, 8) })).toBeUndefined();
  expect(verdict('p50>+20%', values(10, 40), { before: values(1, 2) })).toBeUndefined();
});

test('a lower bound can break a limit, but not keep it; growth over lower bounds is unknown', () => {
  expect(verdict('p50>5d', values(10, 40), { atLeast: 1 })).toBe('broken');
  for (const limit of ['9.9d', '20d']) expect(verdict(`p50>${limit}`, values(10, 12), { atLeast: 1 })).toBe('unknown');
  const before = values(5, 40);
  expect(verdict('p50>+20%', values(10, 40), { before, atLeast: 1 })).toBe('broken');
  expect(verdict('p50>+20%', values(10, 40), { before, atLeastBefore: 1 })).toBe('unknown');
  expect(verdict('p50>+20%', values(5, 40), { before, atLeast: 1 })).toBe('unknown');
});

test('a rule that judged no row is named', () => {
  const [time, growth] = ['p90>5d', 'p90>+20%'].map((text) => parseFailRule(text));
  if (time === undefined || growth === undefined) throw new Error('no rules');
  expect(rulesWithoutRows([time, growth], [{ rule: time } as RuleVerdict])).toEqual([growth]);
});
