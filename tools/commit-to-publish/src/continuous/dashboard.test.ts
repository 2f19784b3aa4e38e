// ci/grafana/lead-time.json queries only what `report --format openmetrics` prints.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { pageContent } from '../render/content.fixture.js';
import { formatOpenMetrics } from '../render/open-metrics.js';

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly title: string; readonly targets: readonly Target[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(findProjectRoot(), 'ci/grafana/lead-time.json'), 'utf8'));

/** Returns the labels of each metric in a report, and the values of each label. */
function printed(): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const [, metric = '', labels = ''] of formatOpenMetrics(pageContent().report).matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const known = metrics.get(metric) ?? new Map<string, Set<string>>();
    metrics.set(metric, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
  return metrics;
}

describe('the dashboard', () => {
  const metrics = printed();
  const targets = dashboard.panels.flatMap(({ title, targets: own }) => own.map((target) => ({ title, ...target })));

  test('has a panel for every metric', () => {
    const asked = new Set(targets.map(({ expr }) => /^\w+/.exec(expr)?.[0]));
    expect([...asked].sort()).toEqual([...metrics.keys()].sort());
  });

  test.each(targets)('$title: $expr', ({ expr, legendFormat }) => {
    const [, metric = '', selectors = ''] = /^(\w+)\{(.*)\}$/.exec(expr) ?? [];
    const labels = metrics.get(metric);
    const used = [...selectors.matchAll(/(\w+)=(~?)"([^"]*)"/g)];
    expect(used.length).toBeGreaterThan(3);
    for (const [, label = '', isPattern, value = ''] of used) {
      if (isPattern === '~') expect([label, value]).toEqual([label, `$${label}`]);
      else expect(labels?.get(label) ?? []).toContain(value);
      expect(labels?.has(label)).toBe(true);
    }
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels?.has(label)).toBe(true);
  });

  test('has a variable for each label that it selects by', () => {
    const variables = dashboard.templating.list.filter(({ definition }) => definition !== undefined);
    for (const { name, definition = '' } of variables) {
      const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
      expect([label, metrics.get(metric)?.has(label)]).toEqual([name, true]);
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});
