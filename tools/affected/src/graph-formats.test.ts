import { describe, expect, test } from '@jest/globals';
import { renderDot, renderMermaid } from './graph-formats.js';
import type { GraphEdge, GraphResult } from './result.js';

function edge(from: string, to: string, field: GraphEdge['field'] = 'dependency'): GraphEdge {
  return { from, to, field, kind: 'workspace', range: 'workspace:^', through: [] };
}

function graphOf(names: readonly string[], edges: readonly GraphEdge[] = [], affected: readonly string[] | null = null): GraphResult {
  return {
    schemaVersion: 1,
    edges,
    warnings: [],
    workspaces: names.map((name) => ({ name, path: name, affected: affected === null ? null : affected.includes(name) })),
  };
}

const fields = [
  edge('app', 'lib'),
  edge('app', '@acme/ui', 'dev'),
  edge('@acme/ui', 'lib', 'peer'),
  edge('app', 'lib', 'optional'),
  edge('lib', '@acme/ui', 'read'),
  edge('app', 'lib'),
  { ...edge('lib', 'app', 'read'), kind: 'undeclared' } as const,
];
const ALL_FIELDS = graphOf(['app', 'lib', '@acme/ui'], fields, ['lib']);

test('Mermaid: an arrow from the dependent to what it needs, by field, one of each; the affected are marked', () => {
  expect(renderMermaid(ALL_FIELDS)).toBe(
    [
      'graph LR',
      '  w0["app"]',
      '  w1["lib"]:::affected',
      '  w2["@acme/ui"]',
      '  w0 --> w1',
      '  w0 -. dev .-> w2',
      '  w2 -- peer --> w1',
      '  w0 -- optional --> w1',
      '  w1 -. read .-> w2',
      '  w1 -. undeclared .-> w0',
      '  classDef affected stroke:#d33,stroke-width:3px',
    ].join('\n'),
  );
});

test('Graphviz: the same', () => {
  expect(renderDot(ALL_FIELDS)).toBe(
    [
      'digraph workspaces {',
      '  rankdir=LR; node [shape=box];',
      '  "app";',
      '  "lib" [color="#dd3333", penwidth=3];',
      '  "@acme/ui";',
      '  "app" -> "lib";',
      '  "app" -> "@acme/ui" [label="dev", style=dashed];',
      '  "@acme/ui" -> "lib" [label="peer"];',
      '  "app" -> "lib" [label="optional"];',
      '  "lib" -> "@acme/ui" [label="read", style=dotted];',
      '  "lib" -> "app" [label="undeclared", style=dashed];',
      '}',
    ].join('\n'),
  );
});

test('without a question nobody is marked, nor if nobody is affected', () => {
  for (const graph of [graphOf(['a', 'b']), graphOf(['a', 'b'], [], [])]) {
    expect(renderMermaid(graph)).toBe('graph LR\n  w0["a"]\n  w1["b"]');
    expect(renderDot(graph)).not.toContain('color');
  }
});

describe('a name with signs of the language does not end its text', () => {
  test.each<[name: string, mermaid: string, dot: string]>([
    ['a"b', '["a#quot;b"]', '"a\\"b"'],
    ['a\\', '["a\\"]', '"a\\\\"'],
    ['<b>&', '["#lt;b>#amp;"]', '"<b>&"'],
  ])('%s', (name, mermaid, dot) => {
    expect(renderMermaid(graphOf([name]))).toContain(`w0${mermaid}`);
    expect(renderDot(graphOf([name]))).toContain(`  ${dot};`);
  });
});
