// What `report --format openmetrics` prints, read by the parser of those who wrote the format. OPENMETRICS_PYTHON names a Python that has prometheus_client.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { pageContent } from './content.fixture.js';
import { formatOpenMetrics } from './open-metrics.js';

const PROGRAM = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = [[f.name, f.type, f.unit, [[s.labels, s.value] for s in f.samples]] for f in text_string_to_metric_families(sys.stdin.read())]
print(json.dumps(families))
`;

type Family = readonly [
  name: string,
  type: string,
  unit: string,
  samples: readonly (readonly [Readonly<Record<string, string>>, number])[],
];

const python = process.env['OPENMETRICS_PYTHON'] ?? '';

function parse(text: string): readonly Family[] {
  return JSON.parse(execFileSync(python, ['-c', PROGRAM], { input: text, encoding: 'utf8', stdio: 'pipe' })) as readonly Family[];
}

(python === '' ? describe.skip : describe)("the format's own parser", () => {
  const { report } = pageContent();
  const NAME = 'a"b\\c\nd, e}';
  const rows = report.rows.map((row, at) => (at === 1 ? { ...row, group: NAME } : row));
  const text = formatOpenMetrics({ ...report, rows });

  test('reads every figure of a report as it is, whatever a row is called', () => {
    const families = parse(text);
    const samplesOf = (name: string): Family[3] => families.find(([found]) => found === name)?.[3] ?? [];
    expect(families.map(([, type]) => type)).toEqual(families.map(() => 'gauge'));
    expect(samplesOf('commit_to_publish_changes').map(([{ group }, value]) => [group, value])).toEqual(
      rows.map(({ group, n }) => [group, n]),
    );
    const p50 = samplesOf('commit_to_publish_lead_time_seconds').filter(([{ percentile }]) => percentile === '0.5');
    const expected = rows.flatMap(({ group, p50: figure }) => (figure === undefined ? [] : [[group, figure.value / 1e6]]));
    expect(p50.map(([{ group }, value]) => [group, value])).toEqual(expected);
    expect(expected.some(([group]) => group === NAME)).toBe(true);
  });

  test.each([
    ['without its end', text.replace('# EOF\n', '')],
    ['with a quotation mark in a name that is not escaped', text.replaceAll('\\"', '"')],
    ['with a unit that is not in the name', text.replace(/_ratio ratio$/m, '_ratio seconds')],
  ])('refuses one %s', (_, broken) => {
    expect(broken).not.toBe(text);
    expect(() => parse(broken)).toThrow();
  });
});
