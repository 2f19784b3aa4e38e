import type { FailRule, RuleVerdict } from '../report/fail-rule.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { formatChange } from './comparison-parts.js';
import { formatLength } from './times.js';

/** Describes the verdict of a rule on a row, and how certain it is. */
export function describeVerdict({ rule, group, verdict, value, low }: RuleVerdict): string {
  if (verdict === 'unknown')
    return `${group}: it is unknown whether its ${rule.figure.toUpperCase()} breaks ${rule.text}. Changes whose publication has no certain time may have taken longer.`;
  const write = (number: number): string => (rule.kind === 'time' ? formatLength(number) : formatChange(number));
  const bound = low === undefined ? 'too few releases bound it' : `at least ${write(low)} with 95 %`;
  const found = `${group}: ${rule.figure.toUpperCase()} ${write(value)} (${bound})`;
  return verdict === 'broken'
    ? `${found}, which breaks ${rule.text}.`
    : `${found}, which may break ${rule.text}: the releases do not prove it.`;
}

/** Returns why a rule judged nothing. */
export function describeUnjudged({ text, figure, kind }: FailRule): string {
  const least = figure === 'p50' ? LEAST_FOR_P50 : LEAST_FOR_P90;
  const where = kind === 'growth' ? ' in these weeks and in as many before' : '';
  return `${text} was not checked: no row has ${least} changes${where}.`;
}
