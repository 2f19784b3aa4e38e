import { expect, test } from '@jest/globals';
import { pageContent } from './content.fixture.js';
import { formatOpenMetrics } from './open-metrics.js';

/** A sample line in the ABNF of OpenMetrics 1.0, without exemplars and timestamps. */
const SAMPLE = /^[a-zA-Z_:][\w:]*\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\} -?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

test('a report in OpenMetrics has a family for each figure, and nothing in a name ends a label', () => {
  const { report } = pageContent();
  const rows = report.rows.map((row, at) => (at === 1 ? { ...row, group: 'a"b\\c', atLeast: 3 } : row));
  const text = formatOpenMetrics({ ...report, rows });
  expect(text.endsWith('\n# EOF\n')).toBe(true);
  const lines = text.trimEnd().split('\n').slice(0, -1);
  expect(lines.filter((line) => !/^# (?:TYPE|UNIT|HELP) /.test(line) && !SAMPLE.test(line))).toEqual([]);
  expect(text).toContain('group="a\\"b\\\\c"');
  expect(lines.filter((line) => line.startsWith('commit_to_publish_changes{'))).toHaveLength(rows.length);
  expect(text).toMatch(/^commit_to_publish_lower_bounds\{group="a\\"b\\\\c".* 3$/m);
});

test('a lower bound of no time is no sample', () => {
  const { report } = pageContent();
  const rows = report.rows.slice(0, 1).map((row) => ({ ...row, atLeast: 3, p50: { value: 0, interval: { low: 0, high: 9e6 } } }));
  const text = formatOpenMetrics({ ...report, rows });
  expect(text).not.toContain('percentile="0.5"');
  expect(text).toMatch(/^commit_to_publish_lead_time_seconds\{.*percentile="0.9"/m);
});
