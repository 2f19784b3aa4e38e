import { differenceOf } from '../statistics/difference.js';
import type { ClusteredValue } from '../statistics/releases.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';
import type { ReportRow } from './report.js';

/** A limit that a figure must not exceed. */
export interface FailRule {
  /** The rule as the user wrote it. */
  readonly text: string;
  readonly figure: 'p50' | 'p90';
  /** `time`: `limit` is in microseconds. `growth`: relative to as many weeks right before, so 0.2 is 20 % more. */
  readonly kind: 'time' | 'growth';
  readonly limit: number;
}

/**
 * The verdict of a rule on a row. `open`: the figure exceeds the limit, but its interval does not, or it has none. `unknown`: some of the
 * changes may have taken longer than is known.
 */
export interface RuleVerdict {
  readonly rule: FailRule;
  readonly group: string;
  readonly verdict: 'kept' | 'open' | 'broken' | 'unknown';
  readonly value: number;
  /** The lower end of the 95 % interval. */
  readonly low: number | undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1e6, min: 60e6, h: 3600e6, d: 24 * 3600e6, w: 7 * 24 * 3600e6 };

/** Parses `p90>5d` or `p90>+20%`. Returns `undefined` if the text is not a rule. */
export function parseFailRule(text: string): FailRule | undefined {
  const [, name = '', sign, digits = '', unit = ''] =
    /^\s*(p50|p90)\s*>\s*(\+?)(\d{1,6}(?:\.\d+)?)\s*(s|min|h|d|w|%)\s*$/i.exec(text) ?? [];
  const figure = name.toLowerCase() as FailRule['figure'];
  if (name === '' || (unit === '%') !== (sign === '+')) return undefined;
  const isGrowth = unit === '%';
  const limit = isGrowth ? Number(digits) / 100 : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return { text: text.trim(), figure, kind: isGrowth ? 'growth' : 'time', limit };
}

/** The changes of a row. */
export interface RowValues {
  readonly values: readonly (ClusteredValue & { readonly isBound?: boolean })[];
  /** How many of them are lower bounds. */
  readonly atLeast: number;
}

/** The changes of a row, and those of as many weeks right before. */
export interface ComparedValues {
  readonly now: RowValues;
  readonly before: RowValues;
}

const SHARES = { p50: 0.5, p90: 0.9 } as const;
const LEAST = { p50: LEAST_FOR_P50, p90: LEAST_FOR_P90 } as const;

/**
 * Returns the verdict of a rule on a row. `undefined` if the row has too few changes for the figure or, for growth, the weeks before have.
 * A rule is broken only if the whole interval exceeds the limit. Lower bounds can break a limit, but not show that it is kept. If those
 * before are lower bounds, nothing is known of the growth.
 */
export function judgeRule(rule: FailRule, row: ReportRow, values: ComparedValues): RuleVerdict | undefined {
  const figure = row[rule.figure];
  if (figure === undefined) return undefined;
  const found = rule.kind === 'time' ? { value: figure.value, low: figure.interval?.low } : growthOf(rule, values);
  if (found === undefined) return undefined;
  const { value, low } = found;
  const isBound = rule.kind === 'growth' && values.before.atLeast > 0;
  const isSure = !isBound && low !== undefined && low > rule.limit;
  const otherwise = isBound || row.atLeast > 0 ? 'unknown' : value > rule.limit ? 'open' : 'kept';
  return { rule, group: row.group, value, low, verdict: isSure ? 'broken' : otherwise };
}

function growthOf({ figure }: FailRule, { now, before }: ComparedValues): Pick<RuleVerdict, 'value' | 'low'> | undefined {
  if (before.values.length < LEAST[figure]) return undefined;
  const difference = differenceOf(before.values, now.values, SHARES[figure]);
  return difference === undefined ? undefined : { value: difference.change, low: difference.interval?.low };
}

/** Returns the rules that judged no row: a gate that checked nothing must not look as if it passed. */
export function rulesWithoutRows(rules: readonly FailRule[], verdicts: readonly RuleVerdict[]): readonly FailRule[] {
  return rules.filter((rule) => verdicts.every((verdict) => verdict.rule !== rule));
}
