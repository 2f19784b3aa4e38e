import { describe, expect, test } from '@jest/globals';
import { renderWhy } from './render-why.js';
import type { WhyResult, WhyStep } from './result.js';

const PAGE = { width: 80, bold: (text: string) => `*${text}*` };
const APP: WhyResult = {
  schemaVersion: 1,
  base: null,
  head: null,
  mergeBase: null,
  all: null,
  warnings: [],
  name: 'app',
  path: 'packages/app',
  affected: true,
  whyNot: null,
  reasons: [],
};

function whyNot(dependsOn: number, ...changed: readonly string[]): string {
  return renderWhy({ ...APP, affected: false, whyNot: { dependsOn, apart: [], changed } }, PAGE);
}

describe('a workspace that is not affected', () => {
  test.each<[dependsOn: number, changed: readonly string[], text: string]>([
    [
      0,
      [],
      '*app* is not affected: none of its files changed, and it depends on no other workspace. Nothing changed that counts for any workspace.',
    ],
    [1, ['lib'], '*app* is not affected: none of its files changed, nor the one workspace it depends on. What changed: lib.'],
    [
      3,
      ['lib', 'ui'],
      '*app* is not affected: none of its files changed, nor any of the 3 workspaces it depends on. What changed: lib, ui.',
    ],
    [
      3,
      ['a', 'b', 'c', 'd', 'e'],
      '*app* is not affected: none of its files changed, nor any of the 3 workspaces it depends on. What changed: a, b, c, d, e.',
    ],
    [
      3,
      ['a', 'b', 'c', 'd', 'e', 'f'],
      '*app* is not affected: none of its files changed, nor any of the 3 workspaces it depends on. What changed: a, b, c, d and 2 more.',
    ],
  ])('depends on %d, and %j changed', (dependsOn, changed, text) => {
    expect(whyNot(dependsOn, ...changed)).toBe(text);
  });
});

test('one that is affected as all are', () => {
  expect(renderWhy({ ...APP, all: { code: 'RULE', reason: 'x changed.' } }, PAGE)).toBe(
    '*app* is affected, as is every workspace. x changed. [RULE]\n' +
      'If you know better, "affected.rules" in tributary.json comes first, and affected check verifies what it says.',
  );
});

test('one that is affected has each reason, and below it the way, step by step', () => {
  const because = { kind: 'file', file: 'lib/x', others: 0 } as const;
  const step = (to: string, field: WhyStep['edges'][number]['field'], ...through: readonly string[]): WhyStep => ({
    from: 'app',
    to,
    edges: [{ field, through }],
  });
  const steps = [
    step('a', 'dependency'),
    step('b', 'dev'),
    step('c', 'peer'),
    step('d', 'optional'),
    step('e', 'dependency', 'x@npm:1', 'y@npm:2'),
    { from: 'e', to: 'lib', edges: [] },
  ];
  const reasons = [
    { reason: { kind: 'file', file: 'app/x', others: 2 }, steps: [] },
    { reason: { kind: 'dependency', path: ['app', 'a', 'lib'], because }, steps },
  ] as const;
  expect(renderWhy({ ...APP, reasons }, PAGE)).toBe(
    [
      '*app* is affected:',
      '  app/x and 2 other files changed',
      '  through a > lib: lib/x changed',
      '    app depends on a',
      '    app has as dev dependency b',
      '    app has as peer c',
      '    app has as optional dependency d',
      '    app depends on e, by way of x@npm:1 > y@npm:2',
      '    e depended on lib before this change',
    ].join('\n'),
  );
});
